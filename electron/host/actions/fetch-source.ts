// Where a window is fetched from, out of an action's text: `noaa`, `bucket:URL`, `folder:DIR`.
import { isAbsolute, normalize } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import type { FetchSource } from "../../../shared/contract/actions.ts";
import type { FileSourceConfig } from "../../sources/feeds/feed-config.ts";

/** Throws `invalid-input`. NOAA's public bucket where nothing is said. */
export function toFetchSource(text: FetchSource = "noaa"): FileSourceConfig {
  if (text === "noaa") return { kind: "noaa" };
  const [kind, rest] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
  return kind === "folder" ? toFolder(rest) : toBucket(rest);
}

function toFolder(path: string): FileSourceConfig {
  // What it would be relative to, nobody who types it into the viewer can see.
  if (!isAbsolute(path)) throw new AppError("invalid-input", "A folder is given by its whole path.");
  return { kind: "folder", directory: normalize(path) };
}

function toBucket(address: string): FileSourceConfig {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new AppError("invalid-input", "A bucket is given by its http or https address.");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new AppError("invalid-input", "A bucket's address has no credentials, query or fragment.");
  return { kind: "bucket", url: url.href.endsWith("/") ? url.href : `${url.href}/` };
}
