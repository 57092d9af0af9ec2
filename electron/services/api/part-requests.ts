// Tracks the running requests of each part, so that a removed part can wait for its own.
import type { ServerResponse } from "node:http";
import { apiLimits } from "./api-limits.ts";
import type { ApiPart } from "./api-part.ts";

export function createPartRequests() {
  const underWay = new Map<ApiPart, Map<ServerResponse, Promise<void>>>();
  return {
    /** Remembers a request of a part until its response closes. */
    note: (part: ApiPart, response: ServerResponse): void => {
      const responses = underWay.get(part) ?? new Map<ServerResponse, Promise<void>>();
      underWay.set(part, responses);
      const { promise, resolve } = Promise.withResolvers<undefined>();
      responses.set(response, promise);
      response.once("close", () => {
        responses.delete(response);
        if (responses.size === 0 && underWay.get(part) === responses) underWay.delete(part);
        resolve(undefined);
      });
    },
    /** Resolves when the part's requests have ended; cuts off those that exceed the grace period. */
    async end(part: ApiPart): Promise<void> {
      const responses = underWay.get(part);
      if (responses === undefined) return;
      const timer = setTimeout(() => {
        for (const response of responses.keys()) response.destroy();
      }, apiLimits.partGraceMs);
      await Promise.all(responses.values());
      clearTimeout(timer);
    },
  };
}
