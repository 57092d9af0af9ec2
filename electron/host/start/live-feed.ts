// The feed of a live source that a person chose in the viewer: its event, with a label that names the source.
import { basename } from "node:path";
import type { LiveSource } from "../../../shared/contract/live.ts";
import {
  defaultFeedEventId,
  defaultFeedTiming,
  type FeedConfig,
  type FeedSourceConfig,
} from "../../sources/feeds/feed-config.ts";
import { toLiveSource } from "../config/source-text.ts";

const longestName = 48;

/**
 * Gives each source an event of its own, so that a label never names another's data.
 * @throws AppError `invalid-input`
 */
export function toLiveFeed(text: LiveSource): FeedConfig {
  const source = toLiveSource(text);
  const name = toSourceName(source);
  const timing = defaultFeedTiming;
  if (name === undefined) return { source, eventId: defaultFeedEventId, timing };
  return { source, eventId: toEventId(name), label: `Live from ${name}`, timing };
}

/** Returns undefined for NOAA's bucket, whose event has its own name, and a mirror, which keeps the remote's events. */
function toSourceName(source: FeedSourceConfig): string | undefined {
  switch (source.kind) {
    case "noaa":
    case "mirror":
      return undefined;
    case "bucket":
      return new URL(source.url).hostname;
    case "folder":
      return toPrintable(basename(source.directory)) || "folder";
  }
}

/** Removes what a label may not have. */
function toPrintable(name: string): string {
  return name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .slice(0, longestName)
    .trim();
}

function toEventId(name: string): string {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, longestName);
  const id = `live-${words}`.replaceAll(/-+/g, "-").replace(/-$/, "");
  return id === "live" ? "live-folder" : id;
}
