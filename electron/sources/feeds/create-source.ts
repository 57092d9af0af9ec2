// Creates the source of a feed or a fetch from its configuration.
import type { Effects } from "../../platform/effects.ts";
import { createBucketSource, noaaBucketUrl } from "./bucket-source.ts";
import type { FileSourceConfig } from "./feed-config.ts";
import type { FeedSource } from "./feed-source.ts";
import { createFolderSource } from "./folder-source.ts";

/** `settleMs`: how long a file in a folder must not have changed. */
export function createFileSource(
  config: FileSourceConfig,
  { fetch, now }: Pick<Effects, "fetch" | "now">,
  settleMs?: number,
): FeedSource {
  switch (config.kind) {
    case "noaa":
      return createBucketSource({ name: "noaa", server: "NOAA", url: noaaBucketUrl, fetch });
    case "bucket":
      return createBucketSource({ name: `bucket:${config.url}`, url: config.url, fetch });
    case "folder":
      return createFolderSource({ directory: config.directory, now, settleMs });
  }
}
