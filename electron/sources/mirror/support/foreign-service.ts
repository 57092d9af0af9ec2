// A small storm data service that follows the contract and is not Echotop: RGBA frames, other ids and URLs, no optional
// fields. Tests change single responses of it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import type { MrmsLayer, MrmsManifest } from "../../../../shared/contract/manifest.ts";
import type { StormRevisionReady } from "../../../../shared/contract/messages.ts";
import type { Bounds, ProductId } from "../../../../shared/contract/primitives.ts";
import type { StormEvent } from "../../../../shared/contract/storm-event.ts";
import { makeRgbaPng } from "./rgba-png.ts";

export interface ForeignRevision {
  readonly revisionId: string;
  readonly sequence: number;
  readonly observedAt: string;
  manifest: MrmsManifest;
}

export interface ForeignOptions {
  /** Default true: it has WebSocket streams. */
  readonly streams?: boolean;
  /** Default true: the history has the optional revision ids and sequences. */
  readonly namesRevisions?: boolean;
  /** A fixed port, for a service that is restarted. */
  readonly port?: number;
}

/** Answers a request; returns false to let the service answer it. */
export type Bend = (request: IncomingMessage, response: ServerResponse) => boolean;

const bounds: Bounds = [-99, 34, -97, 36];

export class ForeignService {
  readonly events: StormEvent[] = [];
  readonly revisions = new Map<string, ForeignRevision[]>();
  readonly frames = new Map<string, Uint8Array>();
  /** Paths requested so far. */
  readonly asked: string[] = [];
  bend: Bend = () => false;
  readonly #options: ForeignOptions;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #rooms = new Map<WebSocket, string>();

  constructor(options: ForeignOptions = {}) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#answer(request, response);
    });
    if (options.streams !== false) {
      this.#server.on("upgrade", (request, socket, head) => {
        const eventId = /^\/v1\/storm-events\/([^/]+)\/stream$/.exec(request.url ?? "")?.[1];
        if (eventId === undefined) socket.destroy();
        else {
          this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
            this.#join(webSocket, eventId);
          });
        }
      });
    }
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.#options.port ?? 0, "127.0.0.1", resolve));
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get openStreams(): number {
    return this.#rooms.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.#rooms.keys()) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  addEvent(event: Partial<StormEvent> & Pick<StormEvent, "id">): StormEvent {
    const row: StormEvent = {
      kind: "historical-event",
      label: `Foreign ${event.id}`,
      status: "active",
      retentionClass: event.kind === "operational-feed" ? "operational" : "benchmark",
      updatedAt: "2024-05-01T20:00:00.000+00:00",
      ...event,
    };
    this.events.push(row);
    this.revisions.set(row.id, []);
    return row;
  }

  /** Publishes the next revision of an event: one RGBA layer a product, with unusual names. */
  publish(
    eventId: string,
    minute: number,
    products: readonly ProductId[] = ["mrms-reflectivity"],
    change: Partial<Pick<ForeignRevision, "sequence" | "revisionId">> = {},
  ): ForeignRevision {
    const known = this.revisions.get(eventId)!;
    const sequence = change.sequence ?? (known.at(-1)?.sequence ?? 0) + 1;
    const observedAt = new Date(Date.UTC(2024, 4, 1, 20, minute)).toISOString();
    const layers = products.map((id): MrmsLayer => {
      const frameId = `${id}-F${sequence}-${eventId}`;
      const path = `/mrms/events/${eventId}/pictures/${frameId}.png`;
      this.frames.set(path, makeRgbaPng(4, 3, [sequence & 255, minute, id.length, 128]));
      return {
        bounds,
        caveat: "An estimate.",
        description: "Of another make.",
        id,
        imageUrl: path,
        label: id,
        legend: [{ color: "rgba(1,2,3,.5)", label: "5" }],
        observedAt,
        opacity: 0.5,
        sourceUrl: "urn:foreign:source",
        unit: "dBZ",
        visible: true,
      };
    });
    const revision: ForeignRevision = {
      revisionId: change.revisionId ?? `R${sequence}T${minute}`,
      sequence,
      observedAt,
      manifest: {
        schemaVersion: 1,
        mode: "live",
        attribution: "Somebody else",
        disclosure: "Made elsewhere.",
        generatedAt: new Date(Date.UTC(2024, 4, 1, 21, 0, sequence)).toISOString(),
        layers,
      },
    };
    known.push(revision);
    this.notify(eventId, revision);
    return revision;
  }

  notify(eventId: string, { revisionId, sequence, observedAt }: ForeignRevision): void {
    const notice: StormRevisionReady = {
      type: "storm.revision.ready",
      schemaVersion: 1,
      eventId,
      revisionId,
      sequence,
      observedAt,
      publishedAt: observedAt,
      bounds,
      manifestUrl: `/mrms/events/${eventId}/${revisionId}.json`,
    };
    for (const [socket, room] of this.#rooms) if (room === eventId) socket.send(JSON.stringify(notice));
  }

  #join(socket: WebSocket, eventId: string): void {
    this.#rooms.set(socket, eventId);
    socket.on("close", () => this.#rooms.delete(socket));
    socket.on("message", () => {
      socket.send("pong");
    });
    socket.send(JSON.stringify({ type: "stream.ready", schemaVersion: 1, eventId }));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? "").replace(/\?.*$/, "");
    this.asked.push(path);
    if (this.bend(request, response)) return;
    const frame = this.frames.get(path);
    if (frame) {
      response.writeHead(200, { "content-type": "image/png" }).end(frame);
      return;
    }
    const json = this.#find(path);
    if (json === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("nothing here");
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
  }

  #find(path: string): unknown {
    const generatedAt = new Date().toISOString();
    if (path === "/v1/storm-events") return { schemaVersion: 1, generatedAt, events: this.events };
    const [, eventId = "", rest = ""] =
      /^\/(?:v1\/storm-events|mrms\/events)\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const revisions = this.revisions.get(eventId);
    if (!revisions) return undefined;
    if (rest === "manifest") return revisions.at(-1)?.manifest;
    if (rest === "revisions") {
      return {
        schemaVersion: 1,
        mode: "live",
        attribution: "Somebody else",
        disclosure: "Made elsewhere.",
        frames: revisions.slice(-360).map((revision) => this.#toFrame(revision)),
        generatedAt,
      };
    }
    const [, revisionId] = /^(?:revisions\/)?([^/]+?)(?:\/manifest|\.json)$/.exec(rest) ?? [];
    return revisions.find((revision) => revision.revisionId === revisionId)?.manifest;
  }

  #toFrame({ revisionId, sequence, observedAt, manifest: { layers } }: ForeignRevision): unknown {
    const names = this.#options.namesRevisions === false ? {} : { revisionId, sequence };
    return { observedAt, ...names, layers };
  }
}
