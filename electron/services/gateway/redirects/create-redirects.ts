// A zone's own redirects, which run before the origin is asked: Single Redirects by expression, then Bulk Redirects
// by URL.
import { AppError } from "../../../../shared/app-error.ts";
import { compileExpression } from "../rules/compile-expression.ts";
import type { RequestFields } from "../rules/request-fields.ts";
import type { BulkRedirect, Zone } from "../zone.ts";

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

/** The parts of a public URL that are compared. */
interface Source {
  /** Undefined matches http and https. */
  readonly scheme: string | undefined;
  /** Empty for the scheme's default port. */
  readonly port: string;
  /** Undefined matches any query; an empty one matches that of `/path?`. */
  readonly query: string | undefined;
}

interface Entry extends Source {
  readonly toLocation: (requestUrl: string) => string;
  readonly statusCode: number;
}

type FindBulkRedirect = (
  url: string,
  sent: { readonly path: string; readonly query: string },
) => { readonly location: string; readonly status: number } | undefined;

/**
 * Compares the host of a source without regard to case, the path exactly as it was sent, and scheme and query only if
 * the source has them. The first match of the list wins.
 * @throws AppError `invalid-input` for a source or target that is not a web address
 */
function createBulkRedirects(redirects: readonly BulkRedirect[], publicOrigin: string): FindBulkRedirect {
  const entries = new Map<string, Entry[]>();
  for (const { sourceUrl, targetUrl, statusCode } of redirects) {
    const { key, source } = parseSource(sourceUrl);
    const toLocation = createLocation(targetUrl, publicOrigin);
    entries.set(key, [...(entries.get(key) ?? []), { ...source, toLocation, statusCode }]);
  }
  return (url, { path, query }) => {
    const request = URL.parse(url);
    if (!request) return undefined;
    const scheme = request.protocol;
    const found = entries
      .get(toKey(request.hostname, path))
      ?.find((entry) => fits(entry, { scheme, port: request.port, query }));
    return found && { location: found.toLocation(url), status: found.statusCode };
  };
}

function fits(source: Source, request: Source): boolean {
  return (
    (source.scheme === undefined || source.scheme === request.scheme) &&
    source.port === request.port &&
    (source.query === undefined || source.query === request.query)
  );
}

const schemePattern = /^https?:\/\//i;

/** Percent-encodes characters that no request can contain, as browsers do, and drops default ports. */
function parseSource(text: string): { readonly key: string; readonly source: Source } {
  const hasScheme = schemePattern.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  if (!url?.hostname || url.username !== "" || url.password !== "") {
    throw new AppError("invalid-input", `The source "${text}" of a bulk redirect is not a web address.`);
  }
  const hasQuery = /^[^#]*\?/.test(text);
  return {
    key: toKey(url.hostname, url.pathname),
    source: {
      scheme: hasScheme ? url.protocol : undefined,
      // Without a scheme, port 80 is a default port too.
      port: !hasScheme && url.port === "80" ? "" : url.port,
      query: hasQuery ? url.search.slice(1) : undefined,
    },
  };
}

function toKey(hostname: string, path: string): string {
  return `${hostname.toLowerCase()} ${path}`;
}

/**
 * Resolves the configured target, which may be relative, against the public URL of a request. The request's query is
 * dropped.
 * @throws AppError `invalid-input` for a target that is not http or https
 */
function createLocation(targetUrl: string, publicOrigin: string): (requestUrl: string) => string {
  const target = URL.parse(targetUrl, publicOrigin);
  if (target?.protocol !== "http:" && target?.protocol !== "https:") {
    throw new AppError("invalid-input", `The target "${targetUrl}" of a redirect is not a web address.`);
  }
  const { href } = target;
  if (URL.canParse(targetUrl)) return () => href;
  // A relative target belongs to the host that was asked for, which may be any of the zone's.
  return (requestUrl) => URL.parse(targetUrl, requestUrl)?.href ?? href;
}
