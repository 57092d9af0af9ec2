// The effects that the viewer needs from its page: the same in a browser tab, an app window and Electron.
import { serviceLimitMeta, serviceLimits, type ServiceLimit } from "../../shared/contract/identifiers.ts";
import { openSocket, type Socket, type SocketHandlers } from "./socket.ts";

export interface ViewerEffects {
  readonly fetch: typeof fetch;
  readonly openSocket: (path: string, handlers: SocketHandlers) => Socket;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly random: () => number;
  readonly onNextFrame: typeof onNextFrame;
  /** Calls back when the machine or the page returns: network up, tab shown. Returns a function that stops it. */
  readonly onReturn: (callback: () => void) => () => void;
  /** Limit of the service for its viewers; undefined if there is none. */
  readonly serviceLimit: ServiceLimit | undefined;
  readonly isPublic: boolean;
  /** True if the tab is shown and its window is not minimized. */
  readonly isVisible: () => boolean;
}

/** Calls back before the next repaint, with `performance.now()`. Returns a function that cancels it. */
export function onNextFrame(callback: (timeMs: number) => void): () => void {
  const handle = requestAnimationFrame(callback);
  return () => {
    cancelAnimationFrame(handle);
  };
}

/** Calls back once after `delayMs`. Returns a function that cancels it. */
export function schedule(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => {
    clearTimeout(timer);
  };
}

export function createPageEffects(): ViewerEffects {
  const serviceLimit = findServiceLimit();
  const isVisible = (): boolean => document.visibilityState === "visible";
  return {
    fetch: (input, init) => window.fetch(input, init),
    openSocket: (path, handlers) => openSocket(toSocketUrl(path), handlers),
    now: () => Date.now(),
    random: () => Math.random(),
    onNextFrame,
    serviceLimit,
    isPublic: serviceLimit === "public",
    isVisible,
    onReturn: (callback) => {
      const whenVisible = (): void => {
        if (isVisible()) callback();
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

function findServiceLimit(): ServiceLimit | undefined {
  const mark = document.querySelector<HTMLMetaElement>(`meta[name="${serviceLimitMeta}"]`);
  return serviceLimits.find((limit) => limit === mark?.content);
}

/** Returns the URL of a stream on the page's own origin. */
function toSocketUrl(path: string): URL {
  const url = new URL(path, window.location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}
