// Downloads one file over HTTP: resumes by Range after an interruption, accepts exactly the listed bytes, and does
// not follow redirects.
import { createHash, type Hash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import { requestBounded, type BoundedAnswer, type RequestLimits } from "../fetching/bounded-request.ts";
import { isHttpFailure } from "../fetching/http-failure.ts";
import { bareEtag } from "./bucket-listing.ts";
import { maxResumes } from "./feed-limits.ts";
import type { Downloaded, DownloadOptions } from "./feed-source.ts";
import { toLinkError, toStatusError } from "./link-error.ts";

export interface DownloadRequest extends DownloadOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly server: string | undefined;
  /** Length in the listing. */
  readonly byteLength: number;
  readonly limits: Omit<RequestLimits, "maxBytes">;
}

/** The bytes written so far. */
interface Part {
  byteLength: number;
  hash: Hash;
  /** Strong ETag; without one, a download cannot resume. */
  etag: string | undefined;
}

/**
 * Downloads the file. After a failure the content of `file` is worthless.
 * @throws AppError `source-invalid` if the body differs from the listing, `upstream-unavailable`,
 * `upstream-rate-limited`; the signal's reason
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
        if (!isHttpFailure(error, "cut-short") || resumes >= maxResumes) throw toLinkError(error);
      }
      if (resumes >= maxResumes || (resumes > 0 && part.byteLength === before)) {
        const message = `File is incomplete (${part.byteLength} of ${request.byteLength} bytes).`;
        throw new AppError("source-invalid", message);
      }
    }
  } finally {
    await file.close();
  }
}

/** Sends one request and writes its body to the file. @throws HttpFailure, AppError */
async function fetchRest(
  file: FileHandle,
  part: Part,
  request: DownloadRequest,
): Promise<"ended" | "not-modified"> {
  const { fetch, url, server, byteLength, limits, knownEtag, signal } = request;
  const resuming = part.byteLength > 0 && part.etag !== undefined;
  const answer = await requestBounded({
    fetch,
    url,
    server,
    headers: resuming
      ? { range: `bytes=${part.byteLength}-`, "if-range": part.etag! }
      : knownEtag === undefined
        ? {}
        : { "if-none-match": `"${knownEtag}"` },
    // The length is checked below, against the listing.
    limits: { ...limits, maxBytes: Number.MAX_SAFE_INTEGER },
    signal,
  });
  try {
    if (answer.status === 304 && !resuming && knownEtag !== undefined) return "not-modified";
    checkAnswer(answer, part, resuming);
    if (answer.status === 200) await begin(file, part, answer.headers);
    for await (const piece of answer.pieces) {
      if (part.byteLength + piece.byteLength > byteLength) {
        throw new AppError("source-invalid", `File is larger than listed (${byteLength} bytes).`);
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
    throw new AppError("source-invalid", `The source sent ${type.slice(0, 60)} instead of GRIB2.`);
  }
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") {
    throw new AppError("source-invalid", "The source sent an encoding that was not requested.");
  }
  if (status !== 206) return;
  const start = /^bytes (\d+)-/.exec(headers.get("content-range") ?? "")?.[1];
  if (Number(start) !== part.byteLength) {
    throw new AppError("source-invalid", "The source sent another part of the file than requested.");
  }
}

/** Starts over with a whole body. */
async function begin(file: FileHandle, part: Part, headers: Headers): Promise<void> {
  await file.truncate(0);
  const etag = headers.get("etag") ?? "";
  part.byteLength = 0;
  part.hash = createHash("sha256");
  part.etag = etag.startsWith('"') && bareEtag(etag) !== undefined ? etag : undefined;
}
