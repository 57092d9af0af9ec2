// The notice stream of one event over a WebSocket: pings, a deadline for the answer, and reconnection that backs off
// with jitter. It carries notices only; the caller reads the data over HTTP.
import { StreamMessage, streamPing, streamPong } from "../../shared/contract/index.ts";
import type { Socket, SocketHandlers } from "../platform/socket.ts";
import { streamTiming } from "../platform/viewer-limits.ts";

export type StreamState =
  | { readonly kind: "connecting"; readonly attempt: number }
  | { readonly kind: "open" }
  /** Waits `delayMs` before attempt number `attempt`. */
  | { readonly kind: "waiting"; readonly attempt: number; readonly delayMs: number }
  | { readonly kind: "closed" };

export interface EventStreamOptions {
  readonly eventId: string;
  readonly openSocket: (path: string, handlers: SocketHandlers) => Socket;
  /** Returns 0 ≤ x < 1, for the jitter. */
  readonly random: () => number;
  readonly onState: (state: StreamState) => void;
  /** Called with valid messages of this event only. */
  readonly onMessage: (message: StreamMessage) => void;
}

/**
 * Doubles from the first delay to the longest. Half of each is random, so that viewers do not reconnect all at once.
 */
export function reconnectDelayMs(attempt: number, random: () => number): number {
  const full = Math.min(
    streamTiming.longestDelayMs,
    streamTiming.firstDelayMs * 2 ** Math.max(0, attempt - 1),
  );
  return Math.round(full / 2 + random() * (full / 2));
}

export class EventStream {
  readonly #options: EventStreamOptions;
  #socket: Socket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  #closed = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#connect();
  }

  /** Reconnects now if it waits to. */
  retryNow(): void {
    if (this.#closed || this.#socket) return;
    this.#connect();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#drop();
    this.#options.onState({ kind: "closed" });
  }

  #connect(): void {
    clearTimeout(this.#timer);
    this.#attempt += 1;
    this.#options.onState({ kind: "connecting", attempt: this.#attempt });
    this.#timer = setTimeout(() => {
      this.#lose();
    }, streamTiming.openDeadlineMs);
    this.#socket = this.#options.openSocket(
      `/v1/storm-events/${encodeURIComponent(this.#options.eventId)}/stream`,
      {
        onOpen: () => {
          this.#opened();
        },
        onMessage: (data) => {
          this.#received(data);
        },
        onEnd: () => {
          this.#lose();
        },
      },
    );
  }

  #opened(): void {
    this.#attempt = 0;
    this.#options.onState({ kind: "open" });
    this.#expectPing();
  }

  #expectPing(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#socket?.send(streamPing);
      this.#timer = setTimeout(() => {
        this.#lose();
      }, streamTiming.pongDeadlineMs);
    }, streamTiming.pingEveryMs);
  }

  #received(data: unknown): void {
    this.#expectPing();
    if (typeof data !== "string" || data === streamPong) return;
    const message = parseMessage(data);
    if (message?.eventId === this.#options.eventId) this.#options.onMessage(message);
  }

  #lose(): void {
    this.#drop();
    const attempt = this.#attempt + 1;
    const delayMs = reconnectDelayMs(attempt, this.#options.random);
    this.#options.onState({ kind: "waiting", attempt, delayMs });
    this.#timer = setTimeout(() => {
      this.#connect();
    }, delayMs);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#socket = undefined;
  }
}

/** Returns undefined for an invalid message: notices are hints, and polling reads the same data. */
function parseMessage(text: string): StreamMessage | undefined {
  try {
    const parsed = StreamMessage.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
