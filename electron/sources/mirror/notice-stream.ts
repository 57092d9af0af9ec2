// An event's notice stream over a WebSocket: pings, a limit on silence, and reconnection with backoff. A notice is a
// hint to read again. A service without streams is polled; a stream is requested only now and then.
import WebSocket from "ws";
import {
  StreamMessage,
  streamPing,
  streamPong,
  type StormRevisionReady,
} from "../../../shared/contract/messages.ts";
import type { Effects } from "../../platform/effects.ts";
import { backoffMs } from "../fetching/backoff.ts";
import { maxMessageBytes, type NoticeStreamTiming } from "./mirror-limits.ts";

export interface NoticeStreamOptions {
  readonly baseUrl: string;
  readonly eventId: string;
  readonly effects: Pick<Effects, "sleep" | "random">;
  readonly timing: NoticeStreamTiming;
  /** Called when it opens, first or again: earlier notices may have been missed. */
  readonly onOpen: () => void;
  /** Called when an open stream ends. */
  readonly onLost: () => void;
  readonly onNotice: (notice: StormRevisionReady) => void;
}

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
      // A stream that ends soon after opening counts as a failure.
      const hasLasted = end === "lost" && performance.now() - startedMs > timing.longestDelayMs;
      attempt = hasLasted ? 1 : attempt + 1;
      const delayMs = end === "refused" ? timing.refusedDelayMs : backoffMs(attempt, bounds, effects.random);
      await effects.sleep(delayMs, signal);
    }
  } catch (error) {
    if (error !== signal.reason) throw error;
  }
}

/** The end of a connection: it was open, there was none, or the service has no stream. */
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
      // 5xx means that the service is busy or closing, not that it has no stream.
      if (statusCode < 500) end = "refused";
      request.destroy();
      socket.terminate();
    });
    // The error does not matter: polling shows if the service is up, and replaces the stream.
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

/** Returns the newest notice in a message; undefined for anything else, which polling will find. */
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
