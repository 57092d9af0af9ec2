// Where a page's canonical link leads, seen from the address under which visitors know the page. The page's `base` plays
// no part: the link is read against the request's URL.
import type { CanonicalTarget } from "./canonical.ts";

/** What servers and proxies commonly take of one header field. Bytes. */
const locationBytes = 8_000;

function parseUrl(text: string, base?: string): URL | undefined {
  return URL.parse(text, base) ?? undefined;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "http:";
}

/** RFC 3986, 6.2.2: the percent-encoding of an unreserved sign stands for the sign, and hexadecimal digits have no case. */
function normalizePercentEncoding(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : code.toUpperCase();
  });
}

/** The same text for addresses that are one page: fragments, default ports and spellings do not count. */
function identityOf({ href }: URL): string {
  const fragment = href.indexOf("#");
  return normalizePercentEncoding(fragment === -1 ? href : href.slice(0, fragment));
}

export interface CanonicalLink {
  /** As the page writes it. */
  readonly href: string;
  /** Absolute, public, with the request's target as it was sent. */
  readonly requestUrl: string;
  /** Under which visitors know the host: `https://brief.example`. */
  readonly publicOrigin: string;
}

/** What the link means for a visitor of the page. A request that is not under the public origin leads nowhere. */
export function resolveCanonical({ href, requestUrl, publicOrigin }: CanonicalLink): CanonicalTarget {
  const request = parseUrl(requestUrl);
  const origin = parseUrl(publicOrigin)?.origin;
  const url = request && parseUrl(href, requestUrl);
  if (!url || request.origin !== origin) return { kind: "invalid" };
  // Only pages have an origin to compare: a blob's is that of whoever made it.
  if (!isWeb(url) || url.username !== "" || url.password !== "") return { kind: "invalid" };
  if (url.origin !== origin) return { kind: "cross-origin" };
  if (identityOf(url) === identityOf(request)) return { kind: "self" };
  if (url.href.length > locationBytes || !/^[!-~]+$/.test(url.href)) return { kind: "invalid" };
  return { kind: "target", url: url.href };
}

/** The visitor comes from where it would be sent. `referer` is the header; one that is no absolute URL tells nothing. */
export function isLoop(referer: string | undefined, target: string): boolean {
  const from = referer === undefined ? undefined : parseUrl(referer);
  if (!from) return false;
  const to = parseUrl(target);
  return to !== undefined && identityOf(from) === identityOf(to);
}
