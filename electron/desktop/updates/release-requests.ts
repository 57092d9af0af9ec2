// Requests to the update server. Threat: a server, or a network, that is not the publisher's. Nothing is followed to
// another address, every answer is bounded, and an installer counts only with the signed hash.
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { AppError } from "../../../shared/app-error.ts";

export interface ReleaseRequests {
  /** Resolves with a small file. @throws AppError `upstream-unavailable` */
  readonly read: (url: URL) => Promise<Buffer>;
  /**
   * Writes an installer to `path`.
   * @throws AppError `upstream-unavailable`; `source-invalid` for wrong contents, which may be left in `path`
   */
  readonly download: (url: URL, path: string, expected: { readonly sha512: string }) => Promise<void>;
}

export interface RequestOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Aborted when the application ends. */
  readonly signal: AbortSignal;
}

/** Most bytes of metadata or of its signature. */
const metadataLimit = 64 * 1024;
/** Most bytes of an installer. */
const installerLimit = 1024 ** 3;
/** Longest silence of the server, and longest time for metadata. */
const silenceMs = 30_000;

export function createReleaseRequests(options: RequestOptions): ReleaseRequests {
  return {
    read: async (url) => {
      const signal = AbortSignal.any([options.signal, AbortSignal.timeout(silenceMs)]);
      return Buffer.concat(
        await collect(receive(await open(options, url, signal), metadataLimit, options.signal)),
      );
    },
    download: async (url, path, { sha512 }) => {
      const silence = new AbortController();
      const timer = setTimeout(() => {
        silence.abort();
      }, silenceMs);
      try {
        const response = await open(options, url, AbortSignal.any([options.signal, silence.signal]));
        const hash = createHash("sha512");
        await pipeline(async function* hashed() {
          for await (const part of receive(response, installerLimit, options.signal)) {
            timer.refresh();
            hash.update(part);
            yield part;
          }
        }, createWriteStream(path));
        if (hash.digest("base64") !== sha512) {
          throw new AppError(
            "source-invalid",
            "The downloaded update is damaged or was changed; it was discarded.",
          );
        }
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Returns the answer, or throws for anything but the file itself. */
async function open(
  { fetch, signal: ended }: RequestOptions,
  url: URL,
  signal: AbortSignal,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url.href, { redirect: "manual", cache: "no-store", credentials: "omit", signal });
  } catch (cause) {
    ended.throwIfAborted();
    throw unreachable(cause);
  }
  if (response.ok && !isPage(response)) return response;
  await response.body?.cancel();
  throw new AppError("upstream-unavailable", toRefusal(response));
}

function isPage({ headers }: Response): boolean {
  return /^\s*(?:text\/html|application\/xhtml)/i.test(headers.get("content-type") ?? "");
}

function toRefusal({ status, ok }: Response): string {
  if (ok) return "The update server answered with a web page instead of a release.";
  if (status >= 300 && status < 400)
    return "The update server points to another address; nothing was loaded from there.";
  return status === 404
    ? "There is no release at the update address."
    : `The update server answered with an error (${status}).`;
}

/** Yields the body; throws if it is cut or longer than `limit`. */
async function* receive({ body }: Response, limit: number, ended: AbortSignal): AsyncGenerator<Buffer> {
  let received = 0;
  try {
    for await (const part of body ?? []) {
      received += part.byteLength;
      if (received > limit) break;
      yield Buffer.from(part);
    }
  } catch (cause) {
    ended.throwIfAborted();
    throw cut(cause);
  }
  if (received > limit)
    throw new AppError("source-invalid", "The update server's file is too large; it was discarded.");
}

async function collect(parts: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

function unreachable(cause: unknown): AppError {
  return new AppError("upstream-unavailable", "The update server could not be reached.", { cause });
}

function cut(cause: unknown): AppError {
  return new AppError(
    "upstream-unavailable",
    "The connection to the update server broke; the update was discarded.",
    {
      cause,
    },
  );
}
