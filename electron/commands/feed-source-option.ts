// The sources of `--feed` and `--source`: `noaa`, `bucket:URL`, `folder:DIR`, `mirror:URL`.
import { resolve } from "node:path";
import type { FeedSourceConfig, FileSourceConfig } from "../sources/feeds/feed-config.ts";
import { UsageError } from "./option-values.ts";

/** Parses `--source`. @throws UsageError */
export function parseFileSource(text: string): FileSourceConfig {
  const source = parseFeedSource(text, "source");
  if (source.kind === "mirror") throw new UsageError("--source takes noaa, bucket:URL or folder:DIR.");
  return source;
}

/** @throws UsageError that names the option */
export function parseFeedSource(text: string, option: "feed" | "source"): FeedSourceConfig {
  const [, kind, rest] = /^(noaa|bucket|folder|mirror)(?::(.*))?$/s.exec(text) ?? [];
  if (kind === "noaa" && rest === undefined) return { kind };
  if (kind === "folder" && rest) return { kind, directory: resolve(rest) };
  if ((kind === "bucket" || kind === "mirror") && rest) return { kind, url: parseBaseUrl(rest, option) };
  throw new UsageError(
    `--${option} takes noaa, bucket:URL, folder:DIR${option === "feed" ? ", mirror:URL or off" : ""}, not "${text}".`,
  );
}

/** Returns an address that ends in a slash. */
function parseBaseUrl(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--${option} needs an http or https address, not "${text}".`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError(`--${option} takes an address without credentials, query or fragment.`);
  }
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
