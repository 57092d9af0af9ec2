// Starts a feed of the command line or of the settings: its source, the render pool and the stores.
import { AppError } from "../../../shared/app-error.ts";
import type { FeedLock, Stores } from "../../catalog/stores/located-stores.ts";
import type { HostConfig } from "../config/host-config.ts";
import type { FeedConfig, FileSourceConfig } from "../../sources/feeds/feed-config.ts";
import type { Effects } from "../../platform/effects.ts";
import { createFileSource } from "../../sources/feeds/create-source.ts";
import type { Feed } from "../../sources/feeds/feed.ts";
import { settleMs } from "../../sources/feeds/feed-limits.ts";
import { startFeed } from "../../sources/feeds/start-feed.ts";
import { createRenderPool, type RenderPool } from "../../pipeline/ingest/render-pool.ts";
import { startStandingFeed } from "./standing-feed.ts";
import { startMirror, toBaseUrl } from "../../sources/mirror/start-mirror.ts";

/** @throws AppError `conflict` if the event cannot take a live feed, or another process fills it on a data directory */
export async function startConfiguredFeed(
  feed: FeedConfig,
  { renderWorkerUrl, service }: Pick<HostConfig, "renderWorkerUrl" | "service">,
  stores: Omit<Stores, "close">,
  effects: Effects,
): Promise<Feed> {
  const { source } = feed;
  const parts = { renderWorkerUrl, stores, effects };
  const isService = service.stores !== undefined;
  // In a data directory, nothing is lost if two mirror the same service.
  if (source.kind === "mirror" && !isService) return startRemoteFeed({ ...feed, source }, undefined, parts);
  const name = source.kind === "mirror" ? `mirror:${toBaseUrl(source.url)}` : feed.eventId;
  const reserve = (): Promise<FeedLock | undefined> => stores.tryFeedLock(name);
  const start = async (lock: FeedLock): Promise<Feed> =>
    source.kind === "mirror"
      ? startRemoteFeed({ ...feed, source }, lock, parts)
      : startFileFeed({ ...feed, source }, lock, parts);
  if (isService) return startStandingFeed({ reserve, start, effects });
  const lock = await reserve();
  if (lock !== undefined) return start(lock);
  throw new AppError(
    "conflict",
    "Another Echotop already goes live in this data folder. Stop it there first.",
  );
}

interface FeedParts {
  readonly renderWorkerUrl: URL;
  readonly stores: Omit<Stores, "close">;
  readonly effects: Effects;
}

/** Mirrors all events of another service. Closes the lock with the feed. */
function startRemoteFeed(
  { source, timing }: FeedConfig & { readonly source: { readonly url: string } },
  lock: FeedLock | undefined,
  { stores, effects }: FeedParts,
): Feed {
  const { frames, catalog } = { ...stores, ...lock };
  const feed = startMirror({ ...timing, catalog, frames, url: source.url, effects });
  return {
    health: () => feed.health(),
    close: async () => {
      await feed.close();
      await lock?.close();
    },
  };
}

/** Closes the lock with the feed. */
async function startFileFeed(
  { source, eventId, timing, label }: FeedConfig & { readonly source: FileSourceConfig },
  lock: FeedLock,
  { renderWorkerUrl, stores, effects }: FeedParts,
): Promise<Feed> {
  const { catalog = stores.catalog } = lock;
  const { frames, sources, stagingFolder } = stores;
  let pool: RenderPool | undefined;
  const close = async (): Promise<void> => {
    try {
      await pool?.close();
    } finally {
      await lock.close();
    }
  };
  try {
    pool = createRenderPool({ workerUrl: renderWorkerUrl });
    const feed = await startFeed({
      source: createFileSource(source, effects, Math.min(settleMs, timing.pollMs)),
      eventId,
      label: label ?? (source.kind === "noaa" ? "CONUS live (NOAA)" : "CONUS live"),
      timing,
      catalog,
      frames,
      pool,
      stagingFolder,
      sources,
      effects,
    });
    return {
      health: () => feed.health(),
      close: async () => {
        try {
          await feed.close();
        } finally {
          await close();
        }
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
