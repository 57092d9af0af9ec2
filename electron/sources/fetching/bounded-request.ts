// HTTP requests to untrusted services: redirects are not followed; response time, pace and length of the body are
// limited. The caller validates the body. Deadlines use real time, even if the caller has its own clock.
import { connectionReason, HttpFailure } from "./http-failure.ts";

export interface RequestLimits {
  /** Longest body. */
  readonly maxBytes: number;
  /** Longest wait for the start of the response. */
  readonly answerMs: number;
  /** Each period of waiting this long must bring `minWindowBytes`, or the end of the body. */
  readonly windowMs: number;
  readonly minWindowBytes: number;
}

export const usualLimits = {
  answerMs: 20_000,
  windowMs: 15_000,
  minWindowBytes: 16_384,
} as const satisfies Omit<RequestLimits, "maxBytes">;

export interface BoundedRequest {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string | URL;
  /** Name of the server in messages, such as `NOAA`; default `the source`. */
  readonly server?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: RequestLimits;
  /** Its abort reason is thrown unchanged. */
  readonly signal: AbortSignal;
}

export interface BoundedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, to be read once or dropped. The iterator throws HttpFailure. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Closes the connection of an unwanted body. */
  drop(): void;
}

const userAgent = "Echotop (desktop MRMS storm viewer)";

/**
 * Sends one request; resolves when the response begins, with any status. The caller reads `pieces` or calls `drop`.
 * @throws HttpFailure; the signal's reason
 */
export async function requestBounded(request: BoundedRequest): Promise<BoundedAnswer> {
  const { limits, signal, server = "the source" } = request;
  const ending = new AbortController();
  const drop = (): void => {
    ending.abort();
  };
  const deadline = setTimeout(drop, limits.answerMs);
  let response: Response;
  try {
    response = await request.fetch(request.url, {
      // A compressed transfer would not have the listed length.
      headers: { "user-agent": userAgent, "accept-encoding": "identity", ...request.headers },
      redirect: "manual",
      signal: AbortSignal.any([signal, ending.signal]),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!ending.signal.aborted)
      throw new HttpFailure("unreachable", `Can't reach ${server}${because(error)}.`, error);
    const message = `Can't reach ${server}: no response within ${limits.answerMs / 1000} seconds.`;
    throw new HttpFailure("no-answer", message, error);
  } finally {
    clearTimeout(deadline);
  }
  const { status, headers } = response;
  if (status >= 300 && status < 400 && status !== 304) {
    drop();
    const message = `The server redirects to another address, which is not followed (status ${status}).`;
    throw new HttpFailure("redirected", message);
  }
  if (Number(headers.get("content-length") ?? 0) > limits.maxBytes) {
    drop();
    throw tooLarge(limits);
  }
  return { status, headers, pieces: readPieces(response, request, drop), drop };
}

/**
 * Reads the whole body into memory.
 * @throws HttpFailure; the signal's reason
 */
export async function readBounded(
  request: BoundedRequest,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Uint8Array }> {
  const { status, headers, pieces } = await requestBounded(request);
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return { status, headers, body: all.length === 1 ? all[0]! : Buffer.concat(all) };
}

async function* readPieces(
  { body }: Response,
  { limits, signal }: BoundedRequest,
  drop: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const pace = createPace(limits);
  let byteLength = 0;
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await pace.wait(reader.read());
      if (done) break;
      byteLength += value.byteLength;
      if (byteLength > limits.maxBytes) throw tooLarge(limits);
      pace.count(value.byteLength);
      yield value;
    }
    ended = true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HttpFailure) throw error;
    throw new HttpFailure("cut-short", `The download was interrupted${because(error)}.`, error);
  } finally {
    if (!ended) drop();
  }
}

/** Measures bytes per time spent waiting; the reader's own time does not count. */
function createPace({ windowMs, minWindowBytes }: RequestLimits): {
  wait<Result>(reading: Promise<Result>): Promise<Result>;
  count(byteLength: number): void;
} {
  let waitedMs = 0;
  let arrived = 0;
  return {
    async wait(reading) {
      const { promise: tooSlow, reject } = Promise.withResolvers<never>();
      const startedMs = performance.now();
      const timer = setTimeout(() => {
        reject(new HttpFailure("too-slow", "The download is too slow."));
      }, windowMs - waitedMs);
      try {
        return await Promise.race([reading, tooSlow]);
      } finally {
        clearTimeout(timer);
        waitedMs += performance.now() - startedMs;
      }
    },
    count(byteLength) {
      arrived += byteLength;
      if (arrived < minWindowBytes) return;
      arrived = 0;
      waitedMs = 0;
    },
  };
}

function tooLarge({ maxBytes }: RequestLimits): HttpFailure {
  return new HttpFailure("too-large", `The response is longer than the limit of ${maxBytes} bytes.`);
}

function because(error: unknown): string {
  const reason = connectionReason(error);
  return reason === undefined ? "" : `: ${reason}`;
}
