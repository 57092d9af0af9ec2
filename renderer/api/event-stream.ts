// The notice stream of one event over a WebSocket that is kept alive: pings, a deadline for the answer, and reconnection
// that backs off with jitter. It carries notices only; what they announce is read over HTTP by the caller.
import { StreamMessage, streamPing, streamPong } from "../../shared/contract/index.ts";
import { streamTiming } from "../platform/viewer-limits.ts";

export interface SocketHandlers {
  readonly onOpen: () => void;
  readonly onMessage: (data: unknown) => void;
  /** Once, for a close or an error, whichever comes first; not after `close()`. */
  readonly onEnd: () => void;
}

/** An open or opening WebSocket. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

export type StreamState =
  | { readonly kind: "connecting"; readonly attempt: number }
  | { readonly kind: "open" }
  /** Waits `delayMs` before attempt number `attempt`. */
  | { readonly kind: "waiting"; readonly attempt: number; readonly delayMs: number }
  | { readonly kind: "closed" };

export interface EventStreamOptions {
  readonly eventId: string;
  readonly openSocket: (path: string, handlers: SocketHandlers) => Socket;
  /** 0 ≤ x < 1, for the jitter. */
  readonly random: () => number;
  readonly onState: (state: StreamState) => void;
  /** Only messages that keep the contract and belong to this event. */
  readonly onMessage: (message: StreamMessage) => void;
}

/** Doubles from the first delay to the longest; half of it is fixed and half is random, so that viewers spread out. */
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

  /** Tries at once when it is waiting: the machine woke up, or the person asked. */
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

/** Undefined for what is not a message of the contract: a notice is a hint, and polling reads what it would have said. */
function parseMessage(text: string): StreamMessage | undefined {
  try {
    const parsed = StreamMessage.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
