// A bucket with MRMS's layout over HTTP: S3's ListObjectsV2 by product and day, and objects by key. No credentials.
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { getProduct, products } from "../../../shared/products/registry.ts";
import { MAX_MESSAGE_BYTES } from "../../pipeline/grib2/sections.ts";
import { readBounded, usualLimits, type RequestLimits } from "../fetching/bounded-request.ts";
import { parseListingPage, type ListedObject, type ListingPage } from "./bucket-listing.ts";
import { withDeadline } from "./deadline.ts";
import { download } from "./download.ts";
import type { FeedSource, Listing, ListingProblem, SourceAsset, TimeRange } from "./feed-source.ts";
import { isLinkError, toLinkError, toStatusError } from "./link-error.ts";
import { dayMs, dayPrefix, parseMrmsName, productPrefix } from "./mrms-name.ts";

export interface BucketOptions {
  /** For people and logs. */
  readonly name: string;
  /** The root of listing and keys: http or https. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly limits?: Omit<RequestLimits, "maxBytes">;
  /** How long all pages of one day's listing, and one whole file, may take; three minutes unless given. */
  readonly deadlineMs?: number;
}

export const noaaBucketUrl = "https://noaa-mrms-pds.s3.amazonaws.com/";

const defaultDeadlineMs = 180_000;
/** A page of 1,000 keys, S3's most, has about a third of this. */
const pageByteLimit = 4 << 20;
/** A day of a product has 720 files; these bounds end a listing that pages forever, and keep what it takes in memory. */
const pageLimit = 100;
const listingLengthLimit = 16 << 20;
const keyLimit = 20_000;

export function createBucketSource({
  name,
  url,
  fetch,
  limits = usualLimits,
  deadlineMs = defaultDeadlineMs,
}: BucketOptions): FeedSource {
  const root = new URL(url.endsWith("/") ? url : `${url}/`);
  const bucket: Bucket = { root, fetch, limits, deadlineMs, pages: new Map() };
  return {
    name,
    list: (range, signal) => listRange(bucket, range, signal),
    download: (asset, options) =>
      withDeadline(deadlineMs, options.signal, (signal) =>
        download({ ...options, signal, fetch, limits, url: asset.locator, byteLength: asset.byteLength }),
      ),
    toSourceUrl: ({ locator }) => locator,
  };
}

interface Bucket {
  readonly root: URL;
  readonly fetch: typeof globalThis.fetch;
  readonly limits: Omit<RequestLimits, "maxBytes">;
  readonly deadlineMs: number;
  /** By address, the pages that were read last: most looks find nothing new. */
  readonly pages: Map<string, { readonly text: string; readonly page: ListingPage }>;
}

const keptPages = 8;
const keptPageLength = 1 << 19;

/** All days of the range, all products. One part that fails leaves the others; when all fail, so does the listing. */
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
        // What a later page says of a key that was listed twice is newer.
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

/** Newest day first. */
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
  for (let page = 0; page < pageLimit && objects.length <= keyLimit; page += 1) {
    const { page: loaded, textLength } = await loadPage(bucket, prefix, token, signal);
    length += textLength;
    if (length > listingLengthLimit) throw endless("it is longer than any");
    const { objects: listed, nextToken } = loaded;
    objects.push(...listed);
    if (nextToken === undefined) return objects;
    if (tokens.has(nextToken)) throw endless("it goes back to a page that it has shown");
    tokens.add(nextToken);
    token = nextToken;
  }
  throw endless("it does not end");
}

function endless(why: string): AppError {
  return new AppError("upstream-unavailable", `The source's listing cannot be used: ${why}.`);
}

async function loadPage(
  { root, fetch, limits, pages }: Bucket,
  prefix: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly page: ListingPage; readonly textLength: number }> {
  const url = new URL(root);
  // Slashes stay as they are: S3 takes both forms, and what copies its listing may not.
  url.search = `list-type=2&prefix=${encodeURIComponent(prefix).replaceAll("%2F", "/")}`;
  if (token !== undefined) url.search += `&continuation-token=${encodeURIComponent(token)}`;
  try {
    const answer = await readBounded({ fetch, url, limits: { ...limits, maxBytes: pageByteLimit }, signal });
    if (answer.status !== 200) throw toStatusError(answer);
    const text = new TextDecoder("utf-8").decode(answer.body);
    const known = pages.get(url.href);
    const textLength = text.length;
    if (known?.text === text) return { page: known.page, textLength };
    const page = parseListingPage(text);
    pages.delete(url.href);
    if (text.length <= keptPageLength) pages.set(url.href, { text, page });
    if (pages.size > keptPages) pages.delete(pages.keys().next().value!);
    return { page, textLength };
  } catch (error) {
    throw toLinkError(error);
  }
}

/** Undefined for the mark of a folder. */
function toAsset(
  root: URL,
  prefix: string,
  { key, byteLength, etag, lastModifiedAt }: ListedObject,
): SourceAsset | ListingProblem | undefined {
  if (key === prefix) return undefined;
  const name = key.slice(prefix.length);
  const said = key.startsWith(prefix) ? parseMrmsName(name) : undefined;
  if (!said || !prefix.startsWith(productPrefix(getProduct(said.productId))))
    return { what: key.slice(0, 300), message: "The name is not that of an MRMS file of this product." };
  if (byteLength === undefined || byteLength > MAX_MESSAGE_BYTES) {
    return { what: key, message: "The size that is listed is none that such a file has." };
  }
  const locator = new URL(key.split("/").map(encodeURIComponent).join("/"), root).href;
  return { locator, name, ...said, byteLength, etag, lastModifiedAt };
}
