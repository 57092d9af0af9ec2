// An event's notice stream over a WebSocket that is kept alive: pings, a deadline for the answer, reconnection that backs off
// with jitter. A notice is a hint to read again; a service without streams is polled, and asked for one only now and then.
import WebSocket from "ws";
import {
  StreamMessage,
  streamPing,
  streamPong,
  type StormRevisionReady,
} from "../../../shared/contract/messages.ts";
import type { Effects } from "../../platform/effects.ts";
import { backoffMs } from "../fetching/backoff.ts";

export interface NoticeStreamOptions {
  readonly baseUrl: string;
  readonly eventId: string;
  readonly effects: Pick<Effects, "sleep" | "random">;
  readonly timing: NoticeStreamTiming;
  /** It opened, for the first time or again: what was said meanwhile is not known. */
  readonly onOpen: () => void;
  /** It was open and is not any more. */
  readonly onLost: () => void;
  readonly onNotice: (notice: StormRevisionReady) => void;
}

export interface NoticeStreamTiming {
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** Where there is a service and no stream. */
  readonly refusedDelayMs: number;
  readonly openDeadlineMs: number;
  readonly pingEveryMs: number;
  /** Anything that arrives counts as an answer. */
  readonly silenceMs: number;
}

export const noticeStreamTiming: NoticeStreamTiming = {
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  refusedDelayMs: 600_000,
  openDeadlineMs: 10_000,
  pingEveryMs: 20_000,
  silenceMs: 30_000,
};

const maxMessageBytes = 64 << 10;

/** Runs until the signal is aborted. */
export async function followNotices(options: NoticeStreamOptions, signal: AbortSignal): Promise<void> {
  const { effects, timing } = options;
  const bounds = { firstMs: timing.firstDelayMs, longestMs: timing.longestDelayMs };
  let attempt = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const startedMs = performance.now();
      const end = await listen(options, signal);
      if (end === "lost") options.onLost();
      // One that opens and ends at once is no better than one that does not open.
      const hasLasted = end === "lost" && performance.now() - startedMs > timing.longestDelayMs;
      attempt = hasLasted ? 1 : attempt + 1;
      const delayMs = end === "refused" ? timing.refusedDelayMs : backoffMs(attempt, bounds, effects.random);
      await effects.sleep(delayMs, signal);
    }
  } catch (error) {
    if (error !== signal.reason) throw error;
  }
}

/** How a connection ended: it was open, there was none, or there is a service that has no stream. */
type End = "lost" | "unreachable" | "refused";

function listen(
  { baseUrl, eventId, timing, onOpen, onNotice }: NoticeStreamOptions,
  signal: AbortSignal,
): Promise<End> {
  const url = `${baseUrl.replace(/^http/, "ws")}/v1/storm-events/${eventId}/stream`;
  const socket = new WebSocket(url, {
    followRedirects: false,
    handshakeTimeout: timing.openDeadlineMs,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  return new Promise((resolve) => {
    let end: End = "unreachable";
    let pings: NodeJS.Timeout | undefined;
    let silence: NodeJS.Timeout | undefined;
    const expectSomething = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        socket.terminate();
      }, timing.silenceMs);
    };
    const abort = (): void => {
      socket.terminate();
    };
    signal.addEventListener("abort", abort, { once: true });
    socket.on("open", () => {
      end = "lost";
      pings = setInterval(() => {
        socket.send(streamPing);
      }, timing.pingEveryMs);
      expectSomething();
      onOpen();
    });
    socket.on("message", (data, isBinary) => {
      expectSomething();
      const notice = isBinary ? undefined : parseNotice((data as Buffer).toString("utf8"), eventId);
      if (notice) onNotice(notice);
    });
    socket.on("unexpected-response", (request, { statusCode = 0 }) => {
      // What a service that is closing or full says (5xx) is said of this moment alone.
      if (statusCode < 500) end = "refused";
      request.destroy();
      socket.terminate();
    });
    // What went wrong does not matter: reading tells whether the service is there, and polling replaces the stream.
    socket.on("error", () => {
      socket.terminate();
    });
    socket.on("close", () => {
      clearInterval(pings);
      clearTimeout(silence);
      signal.removeEventListener("abort", abort);
      resolve(end);
    });
  });
}

/** The newest notice in a message; undefined for what is none of this event: polling reads what it would have said. */
function parseNotice(text: string, eventId: string): StormRevisionReady | undefined {
  if (text === streamPong) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { data } = StreamMessage.safeParse(json);
  const notice = data?.type === "stream.ready" ? data.lastRevision : data;
  return notice?.eventId === eventId ? notice : undefined;
}
