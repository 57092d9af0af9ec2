// Ends a server: at once, or after a drain in which running requests finish.
import type { Server, ServerResponse } from "node:http";
import { closeGraceMs, closeServer } from "./listening.ts";

export interface ServerEnding {
  /**
   * Accepts no new connections, ends each connection with its answer, and cuts those whose requests take longer than
   * `durationMs`. Resolves when the last has ended.
   */
  readonly drain: (durationMs: number) => Promise<void>;
  /** Closes every connection within a bounded time, also in a drain. Idempotent. */
  readonly close: () => Promise<void>;
}

export function createServerEnding(server: Server): ServerEnding {
  let ended: Promise<void> | undefined;
  // Added by the drain: a listener more costs every request a sixth of its time.
  const endConnection = (_request: unknown, response: ServerResponse): void => {
    response.shouldKeepAlive = false;
  };
  return {
    drain(durationMs) {
      if (ended) return ended;
      for (const event of ["request", "checkContinue", "checkExpectation"])
        server.prependListener(event, endConnection);
      return (ended = closeServer(server, durationMs));
    },
    async close() {
      const timer = setTimeout(() => {
        server.closeAllConnections();
      }, closeGraceMs);
      await (ended ??= closeServer(server));
      clearTimeout(timer);
    },
  };
}
