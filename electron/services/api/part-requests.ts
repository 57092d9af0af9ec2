// Which requests are under way at which part, so that a part that goes can wait for its own and for nobody else's.
import type { ServerResponse } from "node:http";
import { apiLimits } from "./api-limits.ts";
import type { ApiPart } from "./api-part.ts";

export interface PartRequests {
  /** Called once a request is a part's, before any of its body is read. */
  readonly note: (part: ApiPart, response: ServerResponse) => void;
  /** Resolves once the part's requests have ended; those that take longer than the grace are cut off. */
  readonly end: (part: ApiPart) => Promise<void>;
}

export function createPartRequests(): PartRequests {
  const underWay = new Map<ApiPart, Map<ServerResponse, Promise<void>>>();
  return {
    note(part, response) {
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
    async end(part) {
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
