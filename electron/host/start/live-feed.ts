// The feed of a live source that a person chose in the viewer: an event of its own, with a label that names the source.
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { LiveSource } from "../../../shared/contract/live.ts";
import {
  defaultFeedEventId,
  defaultFeedTiming,
  type FeedConfig,
  type FeedSourceConfig,
} from "../../sources/feeds/feed-config.ts";
import { toLiveSource } from "../config/source-text.ts";

const longestName = 48;
const hashDigits = 8;

interface SourceIdentity {
  readonly name: string;
  /** Parent folder, or path within the host, for a label. */
  readonly place: string;
  /** Full address; equal for two sources only if they are the same. */
  readonly whole: string;
}

/**
 * Gives each source an event of its own: another source's files would become corrections of its history.
 * @throws AppError `invalid-input`
 */
export function toLiveFeed(text: LiveSource): FeedConfig {
  const source = toLiveSource(text);
  const identity = toIdentity(source);
  const timing = defaultFeedTiming;
  if (identity === undefined) return { source, eventId: defaultFeedEventId, timing };
  return { source, eventId: toEventId(identity), label: toLabel(identity), timing };
}

/** Returns undefined for NOAA's bucket, whose event has its own name, and a mirror, which keeps the remote's events. */
function toIdentity(source: FeedSourceConfig): SourceIdentity | undefined {
  switch (source.kind) {
    case "noaa":
    case "mirror":
      return undefined;
    case "bucket": {
      const { host, pathname, origin } = new URL(source.url);
      return { name: host, place: pathname === "/" ? "" : pathname, whole: origin + pathname };
    }
    case "folder": {
      const path = resolve(source.directory);
      const parent = dirname(path);
      return { name: basename(path), place: parent === path ? "" : parent, whole: toRealPath(path) };
    }
  }
}

/** Follows symbolic links as far as the path exists: the drive of a stored source may come later. */
function toRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(toRealPath(parent), basename(path));
  }
}

function toLabel({ name, place }: SourceIdentity): string {
  const where = toPrintable(place);
  // The end of a path tells more than its beginning.
  const shown = where.length > longestName ? `…${where.slice(-longestName)}` : where;
  const label = `Live from ${toPrintable(name).slice(0, longestName).trim() || "folder"}`;
  return shown === "" ? label : `${label} (${shown})`;
}

/** Removes what a label may not have. */
function toPrintable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "");
}

function toEventId({ name, whole }: SourceIdentity): string {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, longestName)
    .replaceAll(/^-|-$/g, "");
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, hashDigits);
  return `live-${words || "folder"}-${hash}`;
}
