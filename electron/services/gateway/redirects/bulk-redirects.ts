// Bulk Redirects: a list of source URLs, looked up by host and path.
import { AppError } from "../../../../shared/app-error.ts";
import type { BulkRedirect } from "../zone.ts";
import { createLocation } from "./location.ts";

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

export type FindBulkRedirect = (
  url: string,
  sent: { readonly path: string; readonly query: string },
) => { readonly location: string; readonly status: number } | undefined;

/**
 * Compares the host of a source without regard to case, the path exactly as it was sent, and scheme and query only if the
 * source has them. The first match of the list wins.
 * @throws AppError `invalid-input` for a source or target that is not a web address
 */
export function createBulkRedirects(
  redirects: readonly BulkRedirect[],
  publicOrigin: string,
): FindBulkRedirect {
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
