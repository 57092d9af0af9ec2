// The zones of the gateway, as the configuration file defines them: names, origin, and the redirects that run first.

export const zonePlans = ["free", "pro", "business", "enterprise"] as const;
export type ZonePlan = (typeof zonePlans)[number];

/** The source of a zone's pages: the briefings folder, or another server. */
export type ZoneOrigin =
  | { readonly kind: "briefings"; /** Absolute. */ readonly directory: string }
  /** An origin, `http://HOST:PORT`, without a path. */
  | { readonly kind: "http"; readonly url: string };

export interface CustomHostname {
  readonly id: string;
  /** Lower case; `*.` at the beginning matches every name below. */
  readonly hostname: string;
}

export const redirectStatusCodes = [301, 302, 303, 307, 308] as const;
export type RedirectStatusCode = (typeof redirectStatusCodes)[number];

export interface SingleRedirect {
  /** Expression of the language in `rules/`. */
  readonly expression: string;
  readonly targetUrl: string;
  readonly statusCode: RedirectStatusCode;
}

export interface BulkRedirect {
  /** Absolute, or without a scheme. */
  readonly sourceUrl: string;
  readonly targetUrl: string;
  readonly statusCode: RedirectStatusCode;
}

export interface Zone {
  readonly id: string;
  /** Lower case, without a port. */
  readonly hosts: readonly string[];
  /** The origin that visitors use, serialized: `https://brief.example`. */
  readonly publicOrigin: string;
  readonly plan: ZonePlan;
  /** True if the subscription includes custom metadata. */
  readonly customMetadata: boolean;
  readonly origin: ZoneOrigin;
  readonly customHostnames: readonly CustomHostname[];
  readonly singleRedirects: readonly SingleRedirect[];
  readonly bulkRedirects: readonly BulkRedirect[];
}

/** True if the zone's plan includes redirects for training crawlers. */
export function mayRedirectCrawlers({ plan }: Pick<Zone, "plan">): boolean {
  return plan !== "free";
}
