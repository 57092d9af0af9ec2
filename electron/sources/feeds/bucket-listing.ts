// One page of an S3 ListObjectsV2 answer: XML from outside, checked before anything of it is believed.
import { XMLParser } from "fast-xml-parser";
import * as z from "zod";
import { AppError } from "../../../shared/app-error.ts";
import { toInstant } from "../../catalog/instants.ts";

export interface ListedObject {
  readonly key: string;
  /** Undefined where the listing says none that makes sense. */
  readonly byteLength: number | undefined;
  /** Without quotes. */
  readonly etag: string | undefined;
  readonly lastModifiedAt: string | undefined;
}

export interface ListingPage {
  readonly objects: readonly ListedObject[];
  /** What the next page is asked for with; undefined on the last one. */
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

/** @throws AppError `upstream-unavailable` for text that is no such page */
export function parseListingPage(text: string): ListingPage {
  const page = Page.safeParse(parseXml(text));
  if (!page.success) throw notAListing("it is XML of another form", page.error);
  const { IsTruncated, NextContinuationToken, Contents = [] } = page.data.ListBucketResult;
  const isTruncated = IsTruncated === "true";
  if (isTruncated && !NextContinuationToken) {
    throw notAListing("it says that it goes on, but not where");
  }
  return { objects: Contents.map(toObject), nextToken: isTruncated ? NextContinuationToken : undefined };
}

function parseXml(text: string): unknown {
  // No listing has a document type; one that does could define entities that grow without end.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw notAListing("it has a document type of its own");
  if (!/^\s*</.test(text)) throw notAListing("it is not XML");
  let document: unknown;
  try {
    document = parser.parse(text);
  } catch (cause) {
    throw notAListing("it is not XML", cause);
  }
  // The parser takes what it gets; half a listing must not pass for a whole one.
  if (
    /<ListBucketResult[\s>]/.test(text) &&
    !/<\/ListBucketResult\s*>\s*$|<ListBucketResult[^>]*\/>\s*$/.test(text)
  ) {
    throw notAListing("it is cut short");
  }
  return document;
}

function notAListing(why: string, cause?: unknown): AppError {
  return new AppError("upstream-unavailable", `The source's answer is not a bucket listing: ${why}.`, {
    cause,
  });
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

/** An entity tag without quotes and weakness mark; undefined for an empty one. */
export function bareEtag(etag: string): string | undefined {
  return etag.trim().replace(/^W\//, "").replaceAll('"', "") || undefined;
}
