// A bucket with the layout of MRMS over HTTP: S3's ListObjectsV2 by product and day, and objects by key. No
// credentials.
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { getProduct, products } from "../../../shared/products/registry.ts";
import { MAX_MESSAGE_BYTES } from "../../pipeline/grib2/sections.ts";
import { readBounded, usualLimits, type RequestLimits } from "../fetching/bounded-request.ts";
import { parseListingPage, type ListedObject, type ListingPage } from "./bucket-listing.ts";
import { download } from "./download.ts";
import {
  bucketDeadlineMs,
  cachedPages,
  maxCachedPageChars,
  maxKeys,
  maxListChars,
  maxPageBytes,
  maxPages,
} from "./feed-limits.ts";
import type { FeedSource, Listing, ListingProblem, SourceAsset, TimeRange } from "./feed-source.ts";
import { isLinkError, toLinkError, toStatusError, withDeadline } from "./link-error.ts";
import { dayMs, dayPrefix, parseMrmsName, productPrefix } from "./mrms-name.ts";

export interface BucketOptions {
  /** Name in health and logs, such as `noaa`. */
  readonly name: string;
  /** Name of the server in messages, such as `NOAA`; default `the source`. */
  readonly server?: string;
  /** Root of listing and keys: http or https. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly limits?: Omit<RequestLimits, "maxBytes">;
  /** Longest time for all pages of a day's list, and for one file. */
  readonly deadlineMs?: number;
}

export const noaaBucketUrl = "https://noaa-mrms-pds.s3.amazonaws.com/";

export function createBucketSource({
  name,
  server,
  url,
  fetch,
  limits = usualLimits,
  deadlineMs = bucketDeadlineMs,
}: BucketOptions): FeedSource {
  const root = new URL(url.endsWith("/") ? url : `${url}/`);
  const bucket: Bucket = { root, server, fetch, limits, deadlineMs, pages: new Map() };
  return {
    name,
    list: (range, signal) => listRange(bucket, range, signal),
    download: (asset, options) =>
      withDeadline(deadlineMs, options.signal, (signal) =>
        download({
          ...options,
          signal,
          fetch,
          server,
          limits,
          url: asset.locator,
          byteLength: asset.byteLength,
        }),
      ),
    toSourceUrl: ({ locator }) => locator,
  };
}

interface Bucket {
  readonly root: URL;
  readonly server: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly limits: Omit<RequestLimits, "maxBytes">;
  readonly deadlineMs: number;
  /** The pages read last, by URL: most polls find nothing new. */
  readonly pages: Map<string, { readonly text: string; readonly page: ListingPage }>;
}

/** Lists all days and products of the range. Fails only if every part fails. */
async function listRange(bucket: Bucket, range: TimeRange, signal: AbortSignal): Promise<Listing> {
  const prefixes = toPrefixes(range);
  const failures: ListingProblem[] = [];
  const strange: ListingProblem[] = [];
  const assets = new Map<string, SourceAsset>();
  let lastError: unknown;
  for (const prefix of prefixes) {
    try {
      const objects = await withDeadline(bucket.deadlineMs, signal, (ending) =>
        listPrefix(bucket, prefix, ending),
      );
      for (const object of objects) {
        const asset = toAsset(bucket.root, prefix, object);
        if (!asset) continue;
        if ("message" in asset) strange.push(asset);
        // If a key is listed twice, the later entry is newer.
        else if (isInside(range, asset)) assets.set(asset.locator, asset);
      }
    } catch (error) {
      if (!isLinkError(error)) throw error;
      lastError = error;
      failures.push({ what: prefix, message: messageOf(error) });
    }
  }
  if (prefixes.length > 0 && failures.length === prefixes.length) throw lastError;
  const newestFirst = [...assets.values()].sort(
    (a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt),
  );
  return { assets: newestFirst, strange, failures, unreadable: [], lookAgainInMs: undefined };
}

/** Returns the newest day first. */
function toPrefixes({ fromMs, toMs }: TimeRange): string[] {
  const prefixes: string[] = [];
  for (let day = Math.floor(toMs / dayMs); day >= Math.floor(fromMs / dayMs); day -= 1) {
    for (const product of products) prefixes.push(dayPrefix(product, day * dayMs));
  }
  return prefixes;
}

function isInside({ fromMs, toMs }: TimeRange, { observedAt }: SourceAsset): boolean {
  const ms = Date.parse(observedAt);
  return ms >= fromMs && ms <= toMs;
}

/** @throws AppError `upstream-unavailable`, `upstream-rate-limited`; the signal's reason */
async function listPrefix(bucket: Bucket, prefix: string, signal: AbortSignal): Promise<ListedObject[]> {
  const objects: ListedObject[] = [];
  const tokens = new Set<string>();
  let token: string | undefined;
  let length = 0;
  for (let page = 0; page < maxPages && objects.length <= maxKeys; page += 1) {
    const { page: loaded, textLength } = await loadPage(bucket, prefix, token, signal);
    length += textLength;
    if (length > maxListChars) throw endless("it is too long");
    const { objects: listed, nextToken } = loaded;
    objects.push(...listed);
    if (nextToken === undefined) return objects;
    if (tokens.has(nextToken)) throw endless("it repeats a page");
    tokens.add(nextToken);
    token = nextToken;
  }
  throw endless("it does not end");
}

function endless(why: string): AppError {
  return new AppError("upstream-unavailable", `The source's file list cannot be used: ${why}.`);
}

async function loadPage(
  { root, server, fetch, limits, pages }: Bucket,
  prefix: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly page: ListingPage; readonly textLength: number }> {
  const url = new URL(root);
  // Slashes are not encoded: S3 accepts both forms, other servers may not.
  url.search = `list-type=2&prefix=${encodeURIComponent(prefix).replaceAll("%2F", "/")}`;
  if (token !== undefined) url.search += `&continuation-token=${encodeURIComponent(token)}`;
  try {
    const pageLimits = { ...limits, maxBytes: maxPageBytes };
    const answer = await readBounded({ fetch, url, server, limits: pageLimits, signal });
    if (answer.status !== 200) throw toStatusError(answer);
    const text = new TextDecoder("utf-8").decode(answer.body);
    const known = pages.get(url.href);
    const textLength = text.length;
    if (known?.text === text) return { page: known.page, textLength };
    const page = parseListingPage(text);
    pages.delete(url.href);
    if (text.length <= maxCachedPageChars) pages.set(url.href, { text, page });
    if (pages.size > cachedPages) pages.delete(pages.keys().next().value!);
    return { page, textLength };
  } catch (error) {
    throw toLinkError(error);
  }
}

/** Returns undefined for the marker of a folder. */
function toAsset(
  root: URL,
  prefix: string,
  { key, byteLength, etag, lastModifiedAt }: ListedObject,
): SourceAsset | ListingProblem | undefined {
  if (key === prefix) return undefined;
  const name = key.slice(prefix.length);
  const said = key.startsWith(prefix) ? parseMrmsName(name) : undefined;
  if (!said || !prefix.startsWith(productPrefix(getProduct(said.productId))))
    return { what: key.slice(0, 300), message: "Not an MRMS file name of this product." };
  if (byteLength === undefined || byteLength > MAX_MESSAGE_BYTES) {
    return { what: key, message: "The listed size is not that of an MRMS file." };
  }
  const locator = new URL(key.split("/").map(encodeURIComponent).join("/"), root).href;
  return { locator, name, ...said, byteLength, etag, lastModifiedAt };
}
