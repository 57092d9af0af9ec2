// Asks the address of an overlay once, conditionally. The bytes are kept as they are.
import { overlayLimits } from "../../../shared/overlays/overlay.ts";
import { parseRetryAfter } from "../fetching/backoff.ts";
import { readBounded, usualLimits } from "../fetching/bounded-request.ts";
import { HttpFailure, isHttpFailure } from "../fetching/http-failure.ts";
import { findPrivateAddress, type GuardedFetch } from "./guarded-fetch.ts";

/** Validators of the copy that is here. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface Fetched extends Validators {
  readonly bytes: Uint8Array;
}

/** A failed request. `message` is a sentence for a person, without the address. */
export class AskFailure extends Error {
  override readonly name = "AskFailure";
  /** Wait that the server asked for. */
  readonly askedMs: number | undefined;
  /** True if another attempt may succeed soon. */
  readonly isPassing: boolean;

  constructor(
    message: string,
    options: { readonly isPassing: boolean; readonly askedMs?: number | undefined },
  ) {
    super(message);
    this.askedMs = options.askedMs;
    this.isPassing = options.isPassing;
  }
}

export interface AskOptions {
  readonly url: string;
  readonly fetch: GuardedFetch["fetch"];
  readonly validators?: Validators | undefined;
  /** Media types that are wanted; default all. */
  readonly accept?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Returns undefined if the copy that is here is current.
 * @throws AskFailure; the signal's reason
 */
export async function askAddress(options: AskOptions): Promise<Fetched | undefined> {
  const { url, fetch, validators: { etag, lastModified } = {}, accept = "*/*", signal } = options;
  const { target, authorization } = splitCredentials(url);
  const headers = {
    accept,
    ...(authorization !== undefined && { authorization }),
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
  const limits = { ...usualLimits, maxBytes: overlayLimits.bytes };
  let answer;
  try {
    answer = await readBounded({ fetch, url: target, server: "the address", headers, limits, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw toFailure(error);
  }
  const isConditional = etag !== undefined || lastModified !== undefined;
  if (answer.status === 304 && isConditional) return undefined;
  if (answer.status !== 200) throw toStatusFailure(answer.status, answer.headers);
  if (answer.body.byteLength === 0) throw new AskFailure("The address answered without content.", lasting);
  return {
    bytes: answer.body,
    etag: answer.headers.get("etag") ?? undefined,
    lastModified: answer.headers.get("last-modified") ?? undefined,
  };
}

const lasting = { isPassing: false } as const;

/** Moves a user and password of the address into a header: a request refuses them in its address. */
function splitCredentials(text: string): { target: URL; authorization: string | undefined } {
  const target = new URL(text);
  const { username, password } = target;
  if (username === "" && password === "") return { target, authorization: undefined };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  target.username = "";
  target.password = "";
  return { target, authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function toFailure(error: unknown): AskFailure {
  const refused = findPrivateAddress(error);
  if (refused) return new AskFailure(refused.message, lasting);
  if (isHttpFailure(error, "too-large")) {
    return new AskFailure("The file is larger than 5 MiB, the most that an overlay may have.", lasting);
  }
  if (error instanceof HttpFailure) {
    return new AskFailure(error.message, { isPassing: error.kind !== "redirected" });
  }
  throw error;
}

function toStatusFailure(status: number, headers: Headers): AskFailure {
  const askedMs = parseRetryAfter(headers);
  if (status === 429 || status === 503) {
    const message =
      status === 429 ? "The server asks for fewer requests." : "The server is not available now.";
    return new AskFailure(message, { isPassing: true, askedMs });
  }
  if (status === 404 || status === 410) return new AskFailure("There is nothing at this address.", lasting);
  if (status === 401 || status === 403)
    return new AskFailure("The server refuses access to this address.", lasting);
  return new AskFailure(`The server answered with status ${status}.`, { isPassing: status >= 500, askedMs });
}
