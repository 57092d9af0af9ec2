// Starts a service over a catalog in memory, for tests of the service only; closes it after the test.
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { LogLevel } from "../../../platform/effects.ts";
import type { FoundPlaces, PlaceProvider } from "../places/place-provider.ts";
import { createStormService, type StormService, type StormServiceOptions } from "../service.ts";
import { MemoryCatalog, MemoryFrames } from "./memory-catalog.ts";

export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>> | undefined;
}

export interface TestService {
  readonly catalog: MemoryCatalog;
  readonly frames: MemoryFrames;
  readonly log: LogEntry[];
  readonly service: StormService;
  readonly url: string;
  readonly port: number;
  /** Sends a GET without following redirects. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly openSocket: (eventId: string) => TestSocket;
}

export async function startTestService(
  options: Partial<StormServiceOptions> & { readonly catalog?: MemoryCatalog } = {},
  address = "127.0.0.1",
): Promise<TestService> {
  const { catalog = new MemoryCatalog() } = options;
  const frames = new MemoryFrames();
  const log: LogEntry[] = [];
  const service = await createStormService({
    frames,
    places: placesOf({ attribution: "Somebody", results: [] }),
    viewer: undefined,
    clock: () => new Date(),
    log: (level, message, facts) => log.push({ level, message, facts }),
    hosts: [],
    ...options,
    catalog,
  });
  onTestFinished(() => service.close());
  const { url, port } = await service.listen({ host: address, port: 0 });
  return {
    catalog,
    frames,
    log,
    service,
    url,
    port,
    get: (path, headers = {}) => fetch(url + path, { headers, redirect: "manual" }),
    openSocket: (eventId) => new TestSocket(`${url.replace("http", "ws")}/v1/storm-events/${eventId}/stream`),
  };
}

export function placesOf(found: FoundPlaces): PlaceProvider {
  return { search: () => Promise.resolve(found), close: () => Promise.resolve() };
}

/** A client's socket that queues messages for the test. */
export class TestSocket {
  readonly socket: WebSocket;
  /** Resolves with the close code; 1006 if the socket ended without one. */
  readonly closed: Promise<number>;
  readonly #received: string[] = [];
  #wake: (() => void) | undefined;

  constructor(url: string, options: { headers?: Record<string, string> } = {}) {
    this.socket = new WebSocket(url, options);
    const { promise, resolve } = Promise.withResolvers<number>();
    this.closed = promise;
    this.socket.on("message", (data: Buffer) => {
      this.#received.push(data.toString("utf8"));
      this.#wake?.();
    });
    this.socket.on("error", () => {
      // `close` follows, with 1006 if the handshake failed.
    });
    this.socket.on("close", (code) => {
      resolve(code);
      this.#wake?.();
    });
    onTestFinished(() => {
      this.socket.terminate();
    });
  }

  /** Returns the next text message. Throws if the socket closes first. */
  async next(): Promise<string> {
    while (this.#received.length === 0) {
      if (this.socket.readyState === WebSocket.CLOSED)
        throw new Error("The socket closed instead of a message.");
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#received.shift()!;
  }

  async nextJson(): Promise<unknown> {
    return JSON.parse(await this.next());
  }

  /** Unread messages. */
  get pending(): readonly string[] {
    return this.#received;
  }
}
