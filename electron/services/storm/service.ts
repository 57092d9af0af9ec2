// The storm data read service: composes routes, front door and hub, and gives them one life.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { feedsPath } from "../../../shared/contract/action-names.ts";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import { openApiPath } from "../../../shared/contract/openapi.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { Log } from "../../platform/effects.ts";
import { toHosts, type Guard } from "../http/host-guard.ts";
import { bind, closeServer } from "../http/listening.ts";
import { createApp } from "./storm-app.ts";
import { createTextProblem } from "./wire-errors.ts";
import { createFrontDoor } from "./storm-front-door.ts";
import { createGuard } from "./guard.ts";
import type { Handlers } from "./handlers.ts";
import { Hub, hubLimits, type HubLimits } from "./hub.ts";
import type { PlaceProvider } from "./places/place-provider.ts";
import { createActions, type ActionOptions } from "./resources/actions-resource.ts";
import { createDataStatus } from "./resources/data-status-resource.ts";
import { createFeeds } from "./resources/feeds-resource.ts";
import { createFrames } from "./resources/frames-resource.ts";
import { createManifests } from "./resources/manifests-resource.ts";
import { createPlaceSearch } from "./resources/place-search-resource.ts";
import { createRevisions } from "./resources/revisions-resource.ts";
import { createStormEvents } from "./resources/storm-events-resource.ts";
import { loadViewerFiles } from "./resources/viewer-files-resource.ts";
import { createManifestCheck } from "./stored-manifest.ts";
import { createTurnCatalog, type RequestCatalog } from "./turn-catalog.ts";

export interface StormServiceOptions {
  readonly catalog: CatalogReader;
  readonly frames: FrameStore;
  readonly places: PlaceProvider;
  /** The built viewer's folder; undefined, absent or empty, and the root says that there is none. */
  readonly viewer: string | undefined;
  /** The current instant. */
  readonly clock: () => Date;
  readonly log: Log;
  /** Host names under which other machines reach the service, each with a port where it differs; empty on loopback. */
  readonly hosts: readonly string[];
  /** How the feeds are at this moment; undefined where none can run. */
  readonly feeds?: () => readonly FeedHealth[];
  /** Undefined makes the service read-only. */
  readonly actions?: ActionOptions;
  readonly limits?: Partial<HubLimits>;
}

export interface StormService {
  /**
   * Binds and answers from then on. Port 0 takes a free one. Throws `address-in-use`; it may then be called again with
   * another port.
   */
  listen(address: { host: string; port: number }): Promise<StormAddress>;
  /** Ends every socket and connection and frees the port. Idempotent. Catalog, frames and places stay open. */
  close(): Promise<void>;
}

export interface StormAddress {
  /** `http://HOST:PORT`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
}

export async function createStormService(options: StormServiceOptions): Promise<StormService> {
  const { log } = options;
  const viewerFiles = await loadViewerFiles(options.viewer);
  const catalog = createTurnCatalog(options.catalog);
  const hub = new Hub(options.catalog, log, { ...hubLimits, ...options.limits });
  let guard: Guard = createGuard([]);
  let server: Server | undefined;
  const app = createApp({
    handlers: createHandlers(options, catalog),
    feeds: createFeeds(options.feeds ?? (() => [])),
    viewerFiles,
    log,
    createServer: (listener) =>
      (server = createFrontDoor({
        guard: () => guard,
        isFile: (path) => path === openApiPath || path === feedsPath || viewerFiles.has(path),
        openStream: (...upgrade) => void hub.open(...upgrade),
        act: createActions(options.actions, log),
        listener,
      })),
  });
  await app.ready();
  let closed: Promise<void> | undefined;
  return {
    async listen(address) {
      const bound = await bind(server!, { ...address, advice: "--port takes another" });
      guard = createGuard(toHosts({ address: bound.address, port: bound.port }, options.hosts));
      return { url: toUrl(bound), port: bound.port };
    },
    close: () =>
      (closed ??= (async () => {
        catalog.close();
        await Promise.all([hub.close(), closeServer(server!)]);
        await app.close();
      })()),
  };
}

function createHandlers(
  { frames, places, clock, log }: StormServiceOptions,
  catalog: RequestCatalog,
): Handlers {
  const checkManifest = createManifestCheck(log);
  const manifests = createManifests(catalog, checkManifest);
  const upgradeRequired = createTextProblem(426, "This address is a WebSocket stream.", {
    upgrade: "websocket",
    // Naming `upgrade` here takes the connection out of Node's own keeping, so it ends with this answer.
    connection: "upgrade, close",
  });
  return {
    searchPlaces: createPlaceSearch(places),
    listStormEvents: createStormEvents(catalog, clock, log),
    listRevisions: createRevisions(catalog, checkManifest, clock, log),
    getLatestManifest: manifests.latest,
    getRevisionManifest: manifests.ofRevision,
    getFrame: createFrames(catalog, frames, log),
    openStream: () => upgradeRequired,
    getDataStatus: createDataStatus(catalog, clock),
  };
}

function toUrl({ address, family, port }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${port}`;
  return family === "IPv6" ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
