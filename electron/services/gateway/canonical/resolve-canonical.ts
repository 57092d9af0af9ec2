// Resolves a page's canonical link against the public URL of the request. The page's `base` element is ignored.
import { canonicalLimits } from "../gateway-limits.ts";

export type CanonicalTarget =
  /** Absolute, one line, percent-encoded: valid in a Location header. */
  | { readonly kind: "target"; readonly url: string }
  | { readonly kind: "self" }
  | { readonly kind: "cross-origin" }
  | { readonly kind: "invalid" };

function isWeb({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "http:";
}

/** RFC 3986, 6.2.2: an unreserved character equals its percent-encoding, and hexadecimal digits have no case. */
function normalizePercentEncoding(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : code.toUpperCase();
  });
}

/** Returns the same text for URLs of one page: ignores fragments, default ports and spelling. */
function identityOf({ href }: URL): string {
  const fragment = href.indexOf("#");
  return normalizePercentEncoding(fragment === -1 ? href : href.slice(0, fragment));
}

export interface CanonicalLink {
  /** Reference exactly as the page writes it. */
  readonly href: string;
  /** Absolute public URL, with the request target as it was sent. */
  readonly requestUrl: string;
  /** Public origin of the host: `https://brief.example`. */
  readonly publicOrigin: string;
}

/**
 * Returns what the link means for a visitor of the page; "invalid" for a request that is not under the public origin.
 */
export function resolveCanonical({ href, requestUrl, publicOrigin }: CanonicalLink): CanonicalTarget {
  const request = URL.parse(requestUrl);
  const origin = URL.parse(publicOrigin)?.origin;
  const url = request && URL.parse(href, requestUrl);
  if (!url || request.origin !== origin) return { kind: "invalid" };
  // A `blob:` URL has the origin of the page that made it.
  if (!isWeb(url) || url.username !== "" || url.password !== "") return { kind: "invalid" };
  if (url.origin !== origin) return { kind: "cross-origin" };
  if (identityOf(url) === identityOf(request)) return { kind: "self" };
  if (url.href.length > canonicalLimits.locationBytes || !/^[!-~]+$/.test(url.href))
    return { kind: "invalid" };
  return { kind: "target", url: url.href };
}

/** True if the visitor comes from the target. `referer` is the header; an invalid one is ignored. */
export function isLoop(referer: string | undefined, target: string): boolean {
  const from = referer === undefined ? null : URL.parse(referer);
  if (!from) return false;
  const to = URL.parse(target);
  return to !== null && identityOf(from) === identityOf(to);
}
