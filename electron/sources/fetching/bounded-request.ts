// HTTP reading from services that are not trusted: no redirect is followed, and time to answer, pace and length of the body
// are bounded. What the body holds is the caller's to check. Deadlines are of real time, whatever clock the caller keeps.
import { connectionReason, HttpFailure } from "./http-failure.ts";

export interface RequestLimits {
  /** The longest body. */
  readonly maxBytes: number;
  /** How long the beginning of the answer may take. */
  readonly answerMs: number;
  /** Each stretch of waiting this long must bring `minWindowBytes`, or the end of the body. */
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
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: RequestLimits;
  /** An abort of it passes through as it is. */
  readonly signal: AbortSignal;
}

export interface BoundedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, to be read once, piece by piece, or dropped. The iterator throws HttpFailure. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Ends the connection of a body that is not wanted. */
  drop(): void;
}

const userAgent = "Echotop (desktop MRMS storm viewer)";

/**
 * Asks once, and resolves when the answer begins, whatever its status. The caller reads `pieces` or calls `drop`.
 * @throws HttpFailure; an abort of the caller's signal as it is
 */
export async function requestBounded(request: BoundedRequest): Promise<BoundedAnswer> {
  const { limits, signal } = request;
  const ending = new AbortController();
  const deadline = setTimeout(() => {
    ending.abort();
  }, limits.answerMs);
  let response: Response;
  try {
    response = await request.fetch(request.url, {
      // A body that was packed on the way would have another length than the one that is listed.
      headers: { "user-agent": userAgent, "accept-encoding": "identity", ...request.headers },
      redirect: "manual",
      signal: AbortSignal.any([signal, ending.signal]),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (ending.signal.aborted) {
      const seconds = limits.answerMs / 1000;
      throw new HttpFailure("no-answer", `The source did not answer within ${seconds} seconds.`, error);
    }
    throw new HttpFailure("unreachable", `The source cannot be reached${because(error)}.`, error);
  } finally {
    clearTimeout(deadline);
  }
  const drop = (): void => {
    ending.abort();
  };
  const refuse = (kind: "redirected" | "too-large", message: string): HttpFailure => {
    drop();
    return new HttpFailure(kind, message);
  };
  const { status, headers } = response;
  if (status >= 300 && status < 400 && status !== 304) {
    throw refuse("redirected", `The source sends us elsewhere (status ${status}), where we do not follow.`);
  }
  if (Number(headers.get("content-length") ?? 0) > limits.maxBytes) {
    throw refuse("too-large", tooLarge(limits));
  }
  return { status, headers, pieces: readPieces(response, request, drop), drop };
}

/**
 * The whole body in one piece of memory.
 * @throws HttpFailure; an abort of the caller's signal as it is
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
      if (byteLength > limits.maxBytes) throw new HttpFailure("too-large", tooLarge(limits));
      pace.count(value.byteLength);
      yield value;
    }
    ended = true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HttpFailure) throw error;
    throw new HttpFailure("cut-short", `The answer was cut short${because(error)}.`, error);
  } finally {
    if (!ended) drop();
  }
}

/** Counts what comes during the time that was spent waiting for it; time that the reader takes does not count. */
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
        reject(new HttpFailure("too-slow", "The answer comes too slowly."));
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

function tooLarge({ maxBytes }: RequestLimits): string {
  return `The answer is longer than the ${maxBytes} bytes that it may have.`;
}

function because(error: unknown): string {
  const reason = connectionReason(error);
  return reason === undefined ? "" : `: ${reason}`;
}
