// Parses the source of a fetch: `noaa`, `bucket:URL`, `folder:DIR`.
import { isAbsolute, normalize } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import type { FetchSource } from "../../../shared/contract/actions.ts";
import type { FileSourceConfig } from "../../sources/feeds/feed-config.ts";

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
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new AppError("invalid-input", "Give the bucket by its http or https address.");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new AppError("invalid-input", "A bucket's address has no credentials, query or fragment.");
  return { kind: "bucket", url: url.href.endsWith("/") ? url.href : `${url.href}/` };
}
