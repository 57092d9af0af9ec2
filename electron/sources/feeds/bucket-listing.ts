// One page of an S3 ListObjectsV2 response: untrusted XML, validated before use.
import { XMLParser } from "fast-xml-parser";
import * as z from "zod";
import { AppError } from "../../../shared/app-error.ts";
import { toInstant } from "../../catalog/plans/instants.ts";

export interface ListedObject {
  readonly key: string;
  /** Undefined if missing or malformed. */
  readonly byteLength: number | undefined;
  /** Without quotes. */
  readonly etag: string | undefined;
  readonly lastModifiedAt: string | undefined;
}

export interface ListingPage {
  readonly objects: readonly ListedObject[];
  /** Continuation token of the next page; undefined on the last. */
  readonly nextToken: string | undefined;
}

const Entry = z.object({
  Key: z.string(),
  Size: z.string().optional(),
  ETag: z.string().optional(),
  LastModified: z.string().optional(),
});

const Page = z.object({
  ListBucketResult: z.union([
    z.object({
      IsTruncated: z.string().optional(),
      NextContinuationToken: z.string().optional(),
      Contents: z.array(Entry).optional(),
    }),
    // An element without children.
    z
      .literal("")
      .transform(() => ({ IsTruncated: undefined, NextContinuationToken: undefined, Contents: undefined })),
  ]),
});

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  maxNestedTags: 8,
  isArray: (name) => name === "Contents",
});

/** @throws AppError `upstream-unavailable` if the text is not such a page */
export function parseListingPage(text: string): ListingPage {
  const page = Page.safeParse(parseXml(text));
  if (!page.success) throw notAListing("it is another kind of XML", page.error);
  const { IsTruncated, NextContinuationToken, Contents = [] } = page.data.ListBucketResult;
  const isTruncated = IsTruncated === "true";
  if (isTruncated && !NextContinuationToken) throw notAListing("its next page is not named");
  return { objects: Contents.map(toObject), nextToken: isTruncated ? NextContinuationToken : undefined };
}

function parseXml(text: string): unknown {
  // No listing has a document type; one could define entities that grow without limit.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw notAListing("it has a document type");
  if (!/^\s*</.test(text)) throw notAListing("it is not XML");
  let document: unknown;
  try {
    document = parser.parse(text);
  } catch (cause) {
    throw notAListing("it is not XML", cause);
  }
  // The parser accepts truncated XML; half a listing must not pass as a whole one.
  if (
    /<ListBucketResult[\s>]/.test(text) &&
    !/<\/ListBucketResult\s*>\s*$|<ListBucketResult[^>]*\/>\s*$/.test(text)
  ) {
    throw notAListing("it is incomplete");
  }
  return document;
}

function notAListing(why: string, cause?: unknown): AppError {
  const message = `The source's response is not a bucket listing: ${why}.`;
  return new AppError("upstream-unavailable", message, { cause });
}

function toObject({ Key, Size, ETag, LastModified }: z.infer<typeof Entry>): ListedObject {
  const modifiedMs = LastModified === undefined ? Number.NaN : Date.parse(LastModified);
  return {
    key: Key,
    byteLength: Size !== undefined && /^\d{1,15}$/.test(Size) ? Number(Size) : undefined,
    etag: ETag === undefined ? undefined : bareEtag(ETag),
    lastModifiedAt: Number.isNaN(modifiedMs) ? undefined : toInstant(modifiedMs),
  };
}

/** Returns an entity tag without quotes and weakness mark; undefined if empty. */
export function bareEtag(etag: string): string | undefined {
  return etag.trim().replace(/^W\//, "").replaceAll('"', "") || undefined;
}
