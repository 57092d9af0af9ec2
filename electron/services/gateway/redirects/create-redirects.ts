// A zone's own redirects, which run before the origin is asked: Single Redirects by expression, then Bulk Redirects by URL.
import { compileExpression } from "../rules/compile-expression.ts";
import type { RequestFields } from "../rules/request-fields.ts";
import type { Zone } from "../zone.ts";
import { createBulkRedirects } from "./bulk-redirects.ts";
import { createLocation } from "./location.ts";

export interface FoundRedirect {
  readonly reason: "single_redirect" | "bulk_redirect";
  /** Absolute, one line of ASCII. */
  readonly location: string;
  readonly status: number;
}

/** The redirects of a zone, compiled. */
export interface ZoneRedirects {
  /** True if an expression needs the visitor's verdict, which must be known before `find`. */
  readonly asksForBots: boolean;
  /** Returns the first match; `url` is the public URL of the request. Never throws. */
  readonly find: (fields: RequestFields, url: string) => FoundRedirect | undefined;
}

type RedirectsOfZone = Pick<Zone, "singleRedirects" | "bulkRedirects" | "publicOrigin">;

/** @throws ExpressionError, AppError `invalid-input` for a source or target that is not a web address */
export function createRedirects({
  singleRedirects,
  bulkRedirects,
  publicOrigin,
}: RedirectsOfZone): ZoneRedirects {
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
      if (single) {
        return { reason: "single_redirect", location: single.toLocation(url), status: single.statusCode };
      }
      const bulk = findBulk(url, fields);
      return bulk && { reason: "bulk_redirect", ...bulk };
    },
  };
}
