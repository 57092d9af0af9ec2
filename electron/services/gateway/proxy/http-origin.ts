// Another server as the origin, over a pool of kept-alive connections (undici). Only its configured address is asked.
import { buildConnector, errors, Pool, type Dispatcher } from "undici";
import { proxyLimits, type ProxyTimeouts } from "../gateway-limits.ts";
import type { Origin, OriginExchange, OriginFailure, OriginListener, OriginRequest } from "./origin.ts";

type OriginTimeouts = Pick<ProxyTimeouts, "connectMs" | "originHeadMs" | "originChunkMs">;

const aborted = new errors.RequestAbortedError("The visitor has left.");

/** `url` is an origin, `http://HOST:PORT`. */
export function createHttpOrigin(url: string, timeouts: OriginTimeouts): Origin {
  const used = new WeakSet<Error>();
  const connect = buildConnector({ timeout: timeouts.connectMs, allowH2: false });
  const pool = new Pool(url, {
    connections: proxyLimits.originConnections,
    maxHeaderSize: proxyLimits.originHeadBytes,
    headersTimeout: timeouts.originHeadMs,
    bodyTimeout: timeouts.originChunkMs,
    connect: (options, callback) => {
      connect(options, (...outcome) => {
        const [, socket] = outcome;
        // A connection that has answered before may just have been kept too long: its error says nothing about the
        // origin.
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
      // The caller must hold the exchange first.
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
      // undici would end the connection after each HEAD; surplus bytes of an origin do not reach the next response
      // anyway.
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
    // Interim responses are for the next hop.
    if (this.#isAborted || status < 200) return;
    this.#listener.onHead(status, statusText ?? "", toText(controller.rawHeaders));
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    // A resumed parser begins with an empty chunk.
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

  /** Only a safe request is repeated, and only on a connection that had been used before (RFC 9110, 9.2.2). */
  #mayRepeat(error: Error): boolean {
    if (this.#hasAnswer || this.#options.body !== null || this.#attempts >= proxyLimits.originAttempts) {
      return false;
    }
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

/** undici gives bytes, and text for HTTP/2. */
function toText(raw: RawHeaders): readonly string[] {
  if (!Array.isArray(raw) || raw.length === 0) return none;
  const texts = new Array<string>(raw.length);
  for (let index = 0; index < raw.length; index += 1) {
    const item = raw[index]!;
    texts[index] = typeof item === "string" ? item : item.toString("latin1");
  }
  return texts;
}
