// Fetches one file over HTTP into a local one: goes on by Range where the connection was cut, takes exactly the bytes that
// were listed, and never follows to another place.
import { createHash, type Hash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import { requestBounded, type BoundedAnswer, type RequestLimits } from "../fetching/bounded-request.ts";
import { isHttpFailure } from "../fetching/http-failure.ts";
import { bareEtag } from "./bucket-listing.ts";
import type { Downloaded, DownloadOptions } from "./feed-source.ts";
import { toLinkError, toStatusError } from "./link-error.ts";

export interface DownloadRequest extends DownloadOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  /** As listed. */
  readonly byteLength: number;
  readonly limits: Omit<RequestLimits, "maxBytes">;
}

/** How often a file that was cut short is gone on with, at once. */
const resumeLimit = 4;

/** What was written so far, and what the source said of it. */
interface Part {
  byteLength: number;
  hash: Hash;
  /** A strong ETag: a part of what has only a weak one, or none, cannot be gone on with. */
  etag: string | undefined;
}

/**
 * Fetches the file. When it resolves, `file` holds all of it; what it holds after a failure is worthless.
 * @throws AppError `source-invalid` for a body that is not what was listed, `upstream-unavailable` and
 * `upstream-rate-limited` for a source that does not answer as it should; the signal's reason
 */
export async function download(request: DownloadRequest): Promise<Downloaded> {
  const file = await open(request.file, "w");
  try {
    const part: Part = { byteLength: 0, hash: createHash("sha256"), etag: undefined };
    for (let resumes = 0; ; resumes += 1) {
      const before = part.byteLength;
      try {
        if ((await fetchRest(file, part, request)) === "not-modified") return "not-modified";
        if (part.byteLength === request.byteLength) {
          return { byteLength: part.byteLength, sha256: part.hash.digest("hex") };
        }
      } catch (error) {
        if (!isHttpFailure(error) || error.kind !== "cut-short") throw toLinkError(error);
        if (resumes >= resumeLimit) throw toLinkError(error);
      }
      if (resumes >= resumeLimit || (resumes > 0 && part.byteLength === before)) {
        throw new AppError(
          "source-invalid",
          `It was cut short: ${part.byteLength} of the ${request.byteLength} bytes that were listed arrived.`,
        );
      }
    }
  } finally {
    await file.close();
  }
}

/** One request, and what came of it written to the file. @throws HttpFailure, AppError */
async function fetchRest(
  file: FileHandle,
  part: Part,
  request: DownloadRequest,
): Promise<"ended" | "not-modified"> {
  const { fetch, url, byteLength, limits, knownEtag, signal } = request;
  const resuming = part.byteLength > 0 && part.etag !== undefined;
  const answer = await requestBounded({
    fetch,
    url,
    headers: resuming
      ? { range: `bytes=${part.byteLength}-`, "if-range": part.etag! }
      : knownEtag === undefined
        ? {}
        : { "if-none-match": `"${knownEtag}"` },
    // Of a body that is too long, the first byte too many is enough to know.
    limits: { ...limits, maxBytes: Number.MAX_SAFE_INTEGER },
    signal,
  });
  try {
    if (answer.status === 304 && !resuming && knownEtag !== undefined) return "not-modified";
    checkAnswer(answer, part, resuming);
    if (answer.status === 200) await begin(file, part, answer.headers);
    for await (const piece of answer.pieces) {
      if (part.byteLength + piece.byteLength > byteLength) {
        throw new AppError("source-invalid", `It is longer than the ${byteLength} bytes that were listed.`);
      }
      await file.write(piece, 0, piece.byteLength, part.byteLength);
      part.hash.update(piece);
      part.byteLength += piece.byteLength;
    }
    return "ended";
  } finally {
    answer.drop();
  }
}

function checkAnswer(answer: BoundedAnswer, part: Part, resuming: boolean): void {
  const { status, headers } = answer;
  if (status !== 200 && !(status === 206 && resuming)) throw toStatusError(answer);
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (/^text\/|[/+](?:json|xml|html|xhtml\+xml)$/.test(type)) {
    throw new AppError("source-invalid", `GRIB2 is expected, but it is sent as ${type.slice(0, 60)}.`);
  }
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") {
    throw new AppError("source-invalid", "It is sent in another encoding than it was asked for.");
  }
  if (status !== 206) return;
  const start = /^bytes (\d+)-/.exec(headers.get("content-range") ?? "")?.[1];
  if (Number(start) !== part.byteLength) {
    throw new AppError("source-invalid", "The source sends another part of it than was asked for.");
  }
}

/** A whole body begins: what was written before is of no use. */
async function begin(file: FileHandle, part: Part, headers: Headers): Promise<void> {
  await file.truncate(0);
  const etag = headers.get("etag") ?? "";
  part.byteLength = 0;
  part.hash = createHash("sha256");
  part.etag = etag.startsWith('"') && bareEtag(etag) !== undefined ? etag : undefined;
}
