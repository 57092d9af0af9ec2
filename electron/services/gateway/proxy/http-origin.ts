// Another server as the origin, over a pool of kept connections (undici). It is only ever asked at its configured address.
import { buildConnector, errors, Pool, type Dispatcher } from "undici";
import type { Origin, OriginExchange, OriginFailure, OriginListener, OriginRequest } from "./origin.ts";

export interface OriginPatience {
  readonly connectMs: number;
  /** From the request's last byte to the end of the answer's head. */
  readonly headMs: number;
  /** Between two pieces of a body. */
  readonly pieceMs: number;
}

const mostHeaderBytes = 64 * 1024;
/** Connections at a time; further requests wait for one. */
const mostConnections = 512;
/** Of one request that finds its kept connection dead. */
const mostAttempts = 3;

const aborted = new errors.RequestAbortedError("The visitor went away.");

/** `url` is an origin, `http://HOST:PORT`. */
export function createHttpOrigin(url: string, { connectMs, headMs, pieceMs }: OriginPatience): Origin {
  const used = new WeakSet<Error>();
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  const pool = new Pool(url, {
    connections: mostConnections,
    maxHeaderSize: mostHeaderBytes,
    headersTimeout: headMs,
    bodyTimeout: pieceMs,
    connect: (options, callback) => {
      connect(options, (...outcome) => {
        const [, socket] = outcome;
        // An error of a connection that has answered before says nothing about the origin: it may just have been kept too long.
        socket?.prependListener("error", (error: Error) => {
          if (socket.bytesRead > 0) used.add(error);
        });
        callback(...outcome);
      });
    },
  });
  return {
    send(request, listener) {
      const exchange = new HttpExchange(pool, request, listener, used);
      // Not before the caller holds the exchange.
      queueMicrotask(() => {
        exchange.send();
      });
      return exchange;
    },
    close: () => pool.destroy(),
  };
}

class HttpExchange implements Dispatcher.DispatchHandler, OriginExchange {
  readonly #pool: Pool;
  readonly #options: Dispatcher.DispatchOptions;
  readonly #listener: OriginListener;
  readonly #used: WeakSet<Error>;
  #controller: Dispatcher.DispatchController | undefined;
  #isAborted = false;
  #attempts = 0;
  #hasAnswer = false;

  constructor(pool: Pool, request: OriginRequest, listener: OriginListener, used: WeakSet<Error>) {
    this.#pool = pool;
    this.#listener = listener;
    this.#used = used;
    this.#options = {
      path: request.target,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      // undici would end the connection after each HEAD; what an origin sends behind its answer is told from the next one all the same.
      ...(request.method === "HEAD" && { reset: false }),
    };
  }

  send(): void {
    this.#attempts += 1;
    if (!this.#isAborted) this.#pool.dispatch(this.#options, this);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(aborted);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isAborted) controller.abort(aborted);
  }

  onResponseStarted(): void {
    this.#hasAnswer = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusText?: string,
  ): void {
    // What is said before the answer is for the next hop.
    if (this.#isAborted || status < 200) return;
    this.#listener.onHead(status, statusText ?? "", toText(controller.rawHeaders));
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    // A resumed parser begins with a piece of nothing.
    if (!this.#isAborted && bytes.byteLength > 0) this.#listener.onData(bytes);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.#controller = undefined;
    if (!this.#isAborted) this.#listener.onEnd(toText(controller.rawTrailers));
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#controller = undefined;
    if (this.#isAborted) return;
    if (this.#mayRepeat(error)) {
      this.send();
      return;
    }
    this.#listener.onFailure(toFailure(error));
  }

  /** Only what changes nothing is asked again, and only where the connection had been used before (RFC 9110, 9.2.2). */
  #mayRepeat(error: Error): boolean {
    if (this.#hasAnswer || this.#options.body !== null || this.#attempts >= mostAttempts) return false;
    if (!safeMethods.has(this.#options.method)) return false;
    return (
      this.#used.has(error) || (error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0)
    );
  }
}

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

function toFailure(error: Error): OriginFailure {
  if (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  )
    return "timeout";
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError)
    return "invalid";
  return "unreachable";
}

type RawHeaders = Dispatcher.DispatchController["rawHeaders"];

const none: readonly string[] = [];

/** undici gives bytes, and text where it speaks HTTP/2. */
function toText(raw: RawHeaders): readonly string[] {
  if (!Array.isArray(raw) || raw.length === 0) return none;
  const texts = new Array<string>(raw.length);
  for (let index = 0; index < raw.length; index += 1) {
    const item = raw[index]!;
    texts[index] = typeof item === "string" ? item : item.toString("latin1");
  }
  return texts;
}
