// A zone's own redirects, which come before the origin is asked: Single Redirects by expression, then Bulk Redirects by URL.
import { compileExpression } from "../rules/compile-expression.ts";
import type { RequestFields } from "../rules/request-fields.ts";
import type { Zone } from "../zone.ts";
import { createBulkRedirects } from "./bulk-redirects.ts";
import { createLocation } from "./location.ts";

export interface FoundRedirect {
  readonly kind: "single" | "bulk";
  /** Absolute, one line of ASCII. */
  readonly location: string;
  readonly status: number;
}

export interface Redirects {
  /** An expression asks who the visitor is. */
  readonly asksForBots: boolean;
  /** The first that matches; `url` is the public one of the request. Never throws. */
  readonly find: (fields: RequestFields, url: string) => FoundRedirect | undefined;
}

type RedirectsOfZone = Pick<Zone, "singleRedirects" | "bulkRedirects" | "publicOrigin">;

/** @throws ExpressionError, AppError `invalid-input` for a source or target that is no web address */
export function createRedirects({
  singleRedirects,
  bulkRedirects,
  publicOrigin,
}: RedirectsOfZone): Redirects {
  const singles = singleRedirects.map(({ expression, targetUrl, statusCode }) => ({
    expression: compileExpression(expression),
    toLocation: createLocation(targetUrl, publicOrigin),
    statusCode,
  }));
  const findBulk = createBulkRedirects(bulkRedirects, publicOrigin);
  return {
    asksForBots: singles.some(({ expression }) => expression.asksForBots),
    find: (fields, url) => {
      const single = singles.find(({ expression }) => expression.matches(fields));
      if (single) return { kind: "single", location: single.toLocation(url), status: single.statusCode };
      const bulk = findBulk(url, fields);
      return bulk && { kind: "bulk", ...bulk };
    },
  };
}
