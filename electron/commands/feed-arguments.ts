// `noaa`, `bucket:URL`, `folder:DIR`, `mirror:URL`: where files or revisions come from, as it is typed.
import { resolve } from "node:path";
import type { FeedSourceConfig } from "../sources/feeds/feed-config.ts";
import { UsageError } from "./arguments.ts";

/** @throws UsageError that names the option */
export function parseFeedSource(text: string, option: string): FeedSourceConfig {
  const [, kind, rest] = /^(noaa|bucket|folder|mirror)(?::(.*))?$/s.exec(text) ?? [];
  if (kind === "noaa" && rest === undefined) return { kind };
  if (kind === "folder" && rest) return { kind, directory: resolve(rest) };
  if ((kind === "bucket" || kind === "mirror") && rest) return { kind, url: parseBaseUrl(rest, option) };
  throw new UsageError(
    `--${option} takes noaa, bucket:URL, folder:DIR${option === "feed" ? ", mirror:URL or off" : ""}, not "${text}".`,
  );
}

/** Ends in a slash. */
function parseBaseUrl(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--${option} needs an http or https address, not "${text}".`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError(`--${option} takes an address without credentials, query and fragment.`);
  }
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
