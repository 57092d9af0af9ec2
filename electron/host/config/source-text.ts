// Parses sources as a person writes them in the viewer: `noaa`, `bucket:URL`, `folder:DIR`; `mirror:URL` for live
// feeds only.
import { isAbsolute, normalize } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import type { FetchSource } from "../../../shared/contract/actions.ts";
import type { LiveSource } from "../../../shared/contract/live.ts";
import type { FeedSourceConfig, FileSourceConfig } from "../../sources/feeds/feed-config.ts";

/** @throws AppError `invalid-input` */
export function toFetchSource(text: FetchSource = "noaa"): FileSourceConfig {
  if (text === "noaa") return { kind: "noaa" };
  const [kind, rest] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
  return kind === "folder" ? toFolder(rest) : toBucket(rest);
}

function toFolder(path: string): FileSourceConfig {
  // The viewer does not show what a relative path would start from.
  if (!isAbsolute(path)) throw new AppError("invalid-input", "Give the folder by its full path.");
  return { kind: "folder", directory: normalize(path) };
}

function toBucket(address: string): FileSourceConfig {
  return { kind: "bucket", url: toAddress(address, "bucket") };
}

/** Returns an address that ends in a slash. `what` names the service to a person. @throws AppError `invalid-input` */
export function toAddress(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const example = `https://${what === "bucket" ? "mrms" : "desk"}.example`;
    throw new AppError("invalid-input", `Give the ${what}'s web address, such as ${example}.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new AppError("invalid-input", `Give the ${what}'s address without a user name, “?” or “#”.`);
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

/** Parses the source of a live feed. @throws AppError `invalid-input` */
export function toLiveSource(text: LiveSource): FeedSourceConfig {
  if (!text.startsWith("mirror:")) return toFetchSource(text);
  return { kind: "mirror", url: toAddress(text.slice("mirror:".length), "other Echotop") };
}
