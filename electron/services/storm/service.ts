// The storm data service: composes its routes, server and WebSocket hub, and starts and closes them together.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { SourceStore } from "../../catalog/files/source-store.ts";
import type { Log } from "../../platform/effects.ts";
import { createGuardedServer } from "../http/guarded-server.ts";
import { toHosts } from "../http/host-guard.ts";
import { connectionLimits } from "../http/http-limits.ts";
import { bind, closeServer } from "../http/listening.ts";
import { createGuard } from "./guard.ts";
import { Hub } from "./hub.ts";
import type { PlaceProvider } from "./places/place-provider.ts";
import { createActions, type ActionOptions } from "./resources/actions-resource.ts";
import { createDataStatus } from "./resources/data-status-resource.ts";
import { createFrames } from "./resources/frames-resource.ts";
import { createLatest } from "./resources/latest-resource.ts";
import { createManifests } from "./resources/manifests-resource.ts";
import { createPlaceSearch } from "./resources/place-search-resource.ts";
import { createRevisions } from "./resources/revisions-resource.ts";
import {
  createKeptOverlays,
  createOverlayFiles,
  createOverlayList,
  type HeldOverlays,
  type OverlaysCatalog,
} from "./resources/overlays-resource.ts";
import { createSources, type SourcesCatalog } from "./resources/sources-resource.ts";
import { createSteps, type StepsCatalog } from "./resources/steps-resource.ts";
import { createStormEvents } from "./resources/storm-events-resource.ts";
import { loadViewerFiles } from "./resources/viewer-files-resource.ts";
import type { Handlers } from "./request-input.ts";
import { createApp, type StormApp } from "./storm-app.ts";
import type { StormMeter } from "./storm-meter.ts";
import { hubLimits, requestTimeouts, type HubLimits } from "./storm-limits.ts";
import { createManifestCheck } from "./stored-manifest.ts";
import { createTurnCatalog, type RequestCatalog } from "./turn-catalog.ts";
import { createProblem, createTextProblem } from "./wire-errors.ts";

export interface StormServiceOptions {
  readonly catalog: CatalogReader & StepsCatalog & SourcesCatalog & OverlaysCatalog;
  readonly frames: FrameStore;
  /** Undefined if no source files are kept. */
  readonly sources?: Pick<SourceStore, "read">;
  readonly places: PlaceProvider;
  /** Folder of the built viewer; if undefined, missing or empty, the root says that there is none. */
  readonly viewer: string | undefined;
  /** The current instant. */
  readonly clock: () => Date;
  readonly log: Log;
  /** Host names that other machines use, each with a port if it differs; empty on loopback. */
  readonly hosts: readonly string[];
  /** `https://HOST`, the address that browsers use through a proxy that ends TLS. */
  readonly publicOrigin?: string | undefined;
  /** Returns true for the address of a proxy on another machine. */
  readonly isProxy?: ((address: string) => boolean) | undefined;
  /** Returns the feeds' current health; undefined if no feed can run. */
  readonly feeds?: () => readonly FeedHealth[] | Promise<readonly FeedHealth[]>;
  /** Overlays that the host reads for a person; undefined without any. */
  readonly overlays?: HeldOverlays;
  /** Undefined makes the service read-only. */
  readonly actions?: ActionOptions;
  /** True for a service of the public: without stream, actions and feeds, and with answers that shared caches keep. */
  readonly isPublic?: boolean;
  readonly meter?: StormMeter | undefined;
  readonly limits?: Partial<HubLimits>;
  /** Default `connectionLimits.idleMs`. */
  readonly idleMs?: number;
}

export interface StormService {
  /** Binds the port; 0 takes a free one. Throws `address-in-use`, and may then be called again. */
  listen(address: { host: string; port: number }): Promise<StormAddress>;
  /** Streams that are open, or about to be. */
  readonly countStreams: () => number;
  /**
   * Accepts no new connections, closes the streams one after the other over `durationMs`, and lets running requests
   * finish in that time. Then only `close` remains to be called.
   */
  drain(durationMs: number): Promise<void>;
  /** Ends every connection and frees the port; catalog, frames and places stay open. Idempotent. */
  close(): Promise<void>;
}

export interface StormAddress {
  /** `http://HOST:PORT`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
}

export async function createStormService(options: StormServiceOptions): Promise<StormService> {
  const { log, meter, isPublic = false } = options;
  const isReadOnly = options.actions?.token === undefined;
  const viewerFiles = await loadViewerFiles(
    options.viewer,
    isPublic ? "public" : isReadOnly ? "read-only" : undefined,
  );
  const catalog = createTurnCatalog(options.catalog);
  const hub = new Hub(options.catalog, log, { ...hubLimits, ...options.limits }, meter?.notified);
  const app = createApp({
    handlers: createHandlers(options, catalog),
    feeds: options.feeds ?? (() => []),
    viewerFiles,
    act: createActions(options.actions),
    isPublic,
    isDegraded: catalog.isDegraded,
    log,
  });
  let guard = createGuard({ hosts: [] });
  let drained: Promise<void> | undefined;
  const findAllowedStream = (request: IncomingMessage): string | undefined => {
    if (request.method !== "GET" || request.headers.upgrade?.toLowerCase() !== "websocket") return undefined;
    return guard.judge(request) ? undefined : app.findStreamEvent(request.url ?? "");
  };
  const server = createGuardedServer({
    guard: () => guard,
    createProblem,
    listener: app.listener,
    watch: (request, response) => {
      // The connection ends with this answer; the client's next one finds another process.
      if (drained) response.shouldKeepAlive = false;
      if (meter) measure(meter, app, request, response);
    },
    server: requestTimeouts,
    isProxy: options.isProxy,
    upgrades: {
      // A request that may not become a stream gets an ordinary answer: the specification's 400 and 426, the guard's
      // refusals, and plain data for a client that offers another protocol.
      isAllowed: (request) => findAllowedStream(request) !== undefined,
      adopt: (request, socket, head) => {
        void hub.open(findAllowedStream(request)!, request, socket, head);
      },
    },
  });
  // Not in Node's types: a client that ends its side after its request gets the answer, however late it is.
  Object.assign(server, { httpAllowHalfOpen: true });
  // A client that reads nothing would hold its connection for good. Streams have the hub's heartbeat instead.
  server.setTimeout(options.idleMs ?? connectionLimits.idleMs);
  const closeAll = async (): Promise<void> => {
    catalog.close();
    await Promise.all([hub.close(), drained ?? closeServer(server)]);
  };
  let closed: Promise<void> | undefined;
  return {
    async listen(address) {
      const bound = await bind(server, { ...address, advice: "--port takes another" });
      const hosts = toHosts({ address: bound.address, port: bound.port }, options.hosts);
      guard = createGuard({ hosts, publicOrigin: options.publicOrigin, isOpen: isPublic });
      return { url: toUrl(bound), port: bound.port };
    },
    countStreams: () => hub.socketCount,
    async drain(durationMs) {
      drained ??= closeServer(server, durationMs);
      await hub.drain(durationMs);
    },
    close: () => (closed ??= closeAll()),
  };
}

function measure(meter: StormMeter, app: StormApp, request: IncomingMessage, response: ServerResponse): void {
  const startMs = performance.now();
  response.once("close", () => {
    const operation = app.nameOperation(request.method!, request.url!);
    meter.answered(operation, response.statusCode, performance.now() - startMs);
  });
}

function createHandlers(
  { catalog: stored, frames, sources, places, clock, log, overlays }: StormServiceOptions,
  catalog: RequestCatalog,
): Handlers {
  const checkManifest = createManifestCheck(log);
  const upgradeRequired = createTextProblem(426, "This address is a WebSocket stream.", {
    upgrade: "websocket",
    // With `upgrade` named here, Node no longer manages the connection, so it must end with this answer.
    connection: "upgrade, close",
  });
  return {
    searchPlaces: createPlaceSearch(places),
    listStormEvents: createStormEvents(catalog, clock, log),
    ...createRevisions(catalog, checkManifest, clock, log),
    ...createManifests(catalog, checkManifest),
    getFrame: createFrames(catalog, frames, log),
    openStream: () => upgradeRequired,
    getDataStatus: createDataStatus(catalog, clock),
    getLatest: createLatest(catalog),
    getSteps: createSteps(stored),
    getSource: createSources(stored, sources),
    ...createKeptOverlays(stored),
    listOverlays: createOverlayList(overlays),
    getOverlayFile: createOverlayFiles(overlays),
  };
}

function toUrl({ address, family, port }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${port}`;
  return family === "IPv6" ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
