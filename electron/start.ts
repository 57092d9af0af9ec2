// The host: puts the parts together and starts their listeners. Electron's main process, the command line and the
// launcher start it; it does not know Electron.
import { isAppError } from "../shared/app-error.ts";
import type { Dispatch } from "../shared/contract/actions.ts";
import { openStores } from "./catalog/stores/open-stores.ts";
import type { Stores } from "./catalog/stores/located-stores.ts";
import type { HostConfig } from "./host/config/host-config.ts";
import { toStoresLocation } from "./host/config/service-config.ts";
import type { FeedConfig } from "./sources/feeds/feed-config.ts";
import { publishDemonstration, wantsDemonstration } from "./pipeline/demo/publish-demonstration.ts";
import { createClosers } from "./platform/closers.ts";
import type { Effects } from "./platform/effects.ts";
import type { Feed } from "./sources/feeds/feed.ts";
import { limitToRoles } from "./host/config/limit-to-roles.ts";
import type { Admin, OpenAdmin } from "./host/start/open-admin.ts";
import { openOverlaySwitch, type OverlaySwitch } from "./host/start/overlay-switch.ts";
import { openFeedSwitch, type FeedSwitch } from "./host/start/feed-switch.ts";
import { openGatewaySwitch } from "./host/start/gateway-switch.ts";
import { createRenderPool } from "./pipeline/ingest/render-pool.ts";
import { createMemoryKeeper, type SecretKeeper } from "./host/config/secrets.ts";
import { openSettings } from "./host/config/settings.ts";
import { startActions } from "./host/actions/start-actions.ts";
import { createControlStores } from "./host/start/control-stores.ts";
import { createSharedApi } from "./host/start/start-api.ts";
import type { Bindings } from "./host/start/start-hosting.ts";
import { openHostingSwitch } from "./host/start/hosting-switch.ts";
import type { RunningWorker } from "./sources/backfill/start-worker.ts";
import { createSharing } from "./sharing/packs/shares/sharing.ts";
import { createIsProxy } from "./services/gateway/proxy/client-address.ts";
import { createGazetteer } from "./services/storm/places/gazetteer.ts";
import { createNominatim } from "./services/storm/places/nominatim.ts";
import type { PlaceProvider } from "./services/storm/places/place-provider.ts";
import { createStormService, type StormAddress, type StormService } from "./services/storm/service.ts";

export interface Addresses {
  /** Null in a process of a service that is not a reader. */
  readonly storm: string | null;
  /** Null while hosting and gateway are off. */
  readonly api: string | null;
  readonly gateway: string | null;
  /** Absent without an admin listener. */
  readonly admin?: string;
}

export interface Host {
  readonly addresses: Addresses;
  readonly dataDirectory: string;
  /** Runs an action. The caller checks who may. */
  readonly dispatch: Dispatch;
  /** Returns the configuration's function bindings by name; none while hosting is off. */
  readonly bindings: () => Bindings;
  /**
   * Says goodbye before `close`: readiness fails at once, no listener accepts anything new, and running requests finish
   * within the configured time, over which streams are closed. Does nothing if that is zero.
   */
  drain(): Promise<void>;
  /** Ends the listeners and running work, then the stores. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens the stores; resolves when requests are answered. `secrets` stores tokens of other services; `openAdmin`
 * is called if the configuration has an admin listener, and only a service's entry brings it along.
 * @throws AppError `address-in-use`; `conflict` for stores of a newer version; `storage-failed`
 */
export async function start(
  config: HostConfig,
  effects: Effects,
  secrets: SecretKeeper = createMemoryKeeper(),
  openAdmin?: OpenAdmin,
): Promise<Host> {
  const { admin: adminAddress, roles, drainMs } = config.service;
  let isDraining = false;
  const closers = createClosers();
  try {
    const directory = config.dataDirectory;
    const stores = await openStores(toStoresLocation(config.service, directory), { now: effects.now });
    closers.add(() => stores.close());
    const { catalog, frames } = stores;
    const places = createPlaceProvider(config, effects);
    closers.add(() => places.close());
    const settings = limitToRoles(await openSettings(directory), roles);
    const control = createControlStores(config, effects);
    closers.add(() => control.close());
    const api = createSharedApi(config, effects, control);
    closers.add(() => api.close());
    const onChange = (): void => {
      sharing.wake();
    };
    const hosting = await openHostingSwitch({ config, settings, api, effects, onChange });
    closers.add(() => hosting.close());
    const sharing = createSharing({
      ...{ catalog, frames, directory, effects },
      hosting: () => hosting.toSharedHosting(),
    });
    closers.add(() => sharing.close());
    const gateway = await openGatewaySwitch({ config, settings, api, control, effects });
    closers.add(() => gateway.close());
    const live = await openFeedSwitch({
      config,
      settings,
      startFeed: (feed) => openFeed(feed, config, stores, effects),
      log: effects.log,
    });
    closers.add(() => live.close());
    const worker = roles.has("worker") ? await openWorker(config, stores, effects) : undefined;
    closers.add(() => worker?.close());
    const isReading = roles.has("reader") && !config.service.isPublic;
    const overlays = await openOverlaySwitch({ settings, effects, isReading });
    closers.add(() => overlays.close());
    const parts = { stores, secrets, hosting, sharing, gateway, live, overlays };
    const actions = startActions(config, parts, effects);
    closers.add(() => actions.close());
    const admin: Admin | undefined =
      adminAddress &&
      openAdmin?.(adminAddress, {
        ...{ catalog, frames, now: effects.now },
        countBackfills: worker && (() => worker.count()),
        feeds: () => live.health(),
        countStreams: () => service?.countStreams() ?? 0,
        gateway: () => gateway.running,
        isDraining: () => isDraining,
      });
    closers.add(() => admin?.close());
    const service: StormService | undefined = roles.has("reader")
      ? await createService(config, {
          stores,
          places,
          live,
          overlays,
          effects,
          dispatch: actions.dispatch,
          admin,
        })
      : undefined;
    closers.add(() => service?.close());
    const url = service ? (await listen(service, config, effects)).url : null;
    if (config.demo) closers.add(demonstrate(stores, config, effects));
    const { dispatch } = actions;
    const listening = { storm: url, api: api.origin(), gateway: gateway.running?.origin ?? null };
    return {
      addresses: admin ? { ...listening, admin: await admin.listen() } : listening,
      dataDirectory: directory,
      dispatch,
      bindings: () => hosting.running?.bindings ?? {},
      async drain() {
        if (drainMs === 0) return;
        isDraining = true;
        const parts = [service, gateway.running, api];
        await Promise.all(parts.map(async (part) => part?.drain(drainMs)));
      },
      close: closers.close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

interface ServiceParts {
  readonly stores: Stores;
  readonly places: PlaceProvider;
  readonly live: FeedSwitch;
  readonly overlays: OverlaySwitch;
  readonly effects: Effects;
  readonly dispatch: Dispatch;
  readonly admin: Admin | undefined;
}

function createService(
  config: HostConfig,
  { stores, places, live, overlays, effects, dispatch, admin }: ServiceParts,
): Promise<StormService> {
  return createStormService({
    catalog: stores.catalog,
    frames: stores.frames,
    sources: stores.sources,
    places,
    feeds: () => stores.service?.listFeeds() ?? live.health(),
    overlays,
    viewer: config.viewerDirectory,
    clock: effects.now,
    log: effects.log,
    hosts: config.storm.hostNames,
    publicOrigin: config.service.publicOrigin,
    isProxy: createIsProxy(config.service.trustedProxies),
    actions: { dispatch, token: config.actionToken },
    isPublic: config.service.isPublic,
    meter: admin?.meter,
  });
}

/** The module of feeds is loaded only if there is one. */
async function openFeed(
  feed: FeedConfig,
  config: HostConfig,
  stores: Stores,
  effects: Effects,
): Promise<Feed> {
  const { startConfiguredFeed } = await import("./host/start/start-configured-feed.ts");
  return startConfiguredFeed(feed, config, stores, effects);
}

/** Returns undefined for a data directory. The module of workers is loaded only for a service. */
async function openWorker(
  config: HostConfig,
  stores: Stores,
  effects: Effects,
): Promise<RunningWorker | undefined> {
  if (!stores.service) return undefined;
  const { startServiceWorker } = await import("./host/start/start-service-worker.ts");
  return startServiceWorker(config, stores, stores.service, effects);
}

function createPlaceProvider({ placesUpstream, gazetteerFile }: HostConfig, { now }: Effects): PlaceProvider {
  return placesUpstream === undefined
    ? createGazetteer(gazetteerFile)
    : createNominatim({ upstream: placesUpstream, now });
}

async function listen(service: StormService, { storm }: HostConfig, { log }: Effects): Promise<StormAddress> {
  const host = storm.address;
  try {
    return await service.listen({ host, port: storm.port });
  } catch (error) {
    if (storm.whenTaken === "fail" || !isAppError(error, "address-in-use")) throw error;
    const address = await service.listen({ host, port: 0 });
    log("warn", `Port ${storm.port} is taken by another program; listening on port ${address.port} instead.`);
    return address;
  }
}

/**
 * Publishes the demonstration event in the background if the directory is empty or has a part of it. A failure is
 * logged, and the host continues. Returns the function that ends the work.
 */
function demonstrate(stores: Stores, config: HostConfig, effects: Effects): () => Promise<void> {
  const stopping = new AbortController();
  const work = publishIfWanted(stores, config, effects, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) effects.log("error", "The demonstration stopped.", { error });
  });
  return async () => {
    stopping.abort();
    await work;
  };
}

async function publishIfWanted(
  { catalog, frames }: Stores,
  { renderWorkerUrl, generatorWorkerUrl }: HostConfig,
  { showProgress }: Effects,
  signal: AbortSignal,
): Promise<void> {
  if (!(await wantsDemonstration(catalog))) return;
  const progress = showProgress("Making the demonstration");
  const pool = createRenderPool({ workerUrl: renderWorkerUrl });
  try {
    await publishDemonstration({
      catalog,
      frames,
      pool,
      generatorWorkerUrl,
      signal,
      onProgress: (done, total) => {
        progress.update(done, total);
      },
    });
  } finally {
    progress.end();
    await pool.close();
  }
}
