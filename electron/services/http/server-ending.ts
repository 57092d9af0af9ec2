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

/** Must be called before the server gets requests. */
export function createServerEnding(server: Server): ServerEnding {
  const running = new Set<ServerResponse>();
  let ended: Promise<void> | undefined;
  const watch = (_request: unknown, response: ServerResponse): void => {
    if (ended) response.shouldKeepAlive = false;
    running.add(response);
    response.once("close", () => {
      running.delete(response);
    });
  };
  for (const event of ["request", "checkContinue", "checkExpectation"]) server.prependListener(event, watch);
  return {
    drain(durationMs) {
      // The client hears of the end with the answer, and does not send its next request into a closing connection.
      for (const response of running) response.shouldKeepAlive = false;
      return (ended ??= closeServer(server, durationMs));
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
