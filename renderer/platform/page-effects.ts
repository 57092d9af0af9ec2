// What the viewer needs from the page around it, by capability: the same in a browser tab, an app window and Electron.
import type { Socket, SocketHandlers } from "../api/event-stream.ts";
import { openSocket } from "./socket.ts";

export interface ViewerEffects {
  readonly fetch: typeof fetch;
  readonly openSocket: (path: string, handlers: SocketHandlers) => Socket;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly random: () => number;
  /** Calls back before the next repaint, with `performance.now()`; returns a way to cancel. */
  readonly onNextFrame: (callback: (timeMs: number) => void) => () => void;
  /** Calls back when the machine or the page comes back: network up, tab shown. Returns a way to stop. */
  readonly onReturn: (callback: () => void) => () => void;
  /** Whether anybody can see the page: its tab is shown and its window is not minimised. */
  readonly isVisible: () => boolean;
}

export function createPageEffects(): ViewerEffects {
  return {
    fetch: (input, init) => window.fetch(input, init),
    openSocket: (path, handlers) => openSocket(toSocketUrl(path), handlers),
    now: () => Date.now(),
    random: () => Math.random(),
    onNextFrame: (callback) => {
      const handle = window.requestAnimationFrame(callback);
      return () => {
        window.cancelAnimationFrame(handle);
      };
    },
    isVisible: () => document.visibilityState === "visible",
    onReturn: (callback) => {
      const whenVisible = (): void => {
        if (document.visibilityState === "visible") callback();
      };
      window.addEventListener("online", callback);
      document.addEventListener("visibilitychange", whenVisible);
      return () => {
        window.removeEventListener("online", callback);
        document.removeEventListener("visibilitychange", whenVisible);
      };
    },
  };
}

/** The address of a stream on the page's own origin. */
function toSocketUrl(path: string): URL {
  const url = new URL(path, window.location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}

/** The IANA name of the machine's time zone. */
export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
