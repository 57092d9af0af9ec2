// Who a visitor is, as far as it can be proven. Only `verified` changes what anybody sees.
import type { IncomingHttpHeaders } from "node:http";

/** The category that is redirected. */
export const trainingCategory = "AI Crawler";

export type CrawlerProof = "signature" | "ranges" | "dns";

export type CrawlerVerdict =
  | {
      readonly status: "verified";
      readonly name: string;
      readonly operator: string;
      readonly category: string;
      readonly proof: CrawlerProof;
    }
  /** No entry of the directory fits, or its proof fails. `claimed` is the entry whose user agent it bears. */
  | { readonly status: "unverified"; readonly claimed: string | undefined; readonly why: string }
  /** It bears an entry's user agent, and what would prove it cannot be had: no published ranges, no answer of the DNS. */
  | { readonly status: "unknown"; readonly claimed: string; readonly why: string };

export interface Visitor {
  /** IPv4 or IPv6 text; IPv4 where it is one mapped into IPv6. */
  readonly address: string;
  readonly userAgent: string;
  /** `GET` */
  readonly method: string;
  /** The public authority that the visitor asked for: `brief.example`, with a port where it is not the scheme's own. */
  readonly authority: string;
  /** The public URL, absolute. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface DirectoryState {
  /** ISO, as the file says; undefined where there is no readable file. */
  readonly updatedAt: string | undefined;
  readonly crawlers: number;
  /** Older than seven days: still used, and said. */
  readonly isStale: boolean;
  /** Why the newest state of the file is not in use, a sentence. */
  readonly problem: string | undefined;
}

export interface CrawlerVerifier {
  /** Whether anything about the visitor names a crawler at all: cheap, and false for every browser. */
  readonly mayBeCrawler: (visitor: Visitor) => boolean;
  /** Never rejects; DNS is waited for 500 ms at most. */
  readonly verify: (visitor: Visitor) => Promise<CrawlerVerdict>;
  readonly state: () => DirectoryState;
  /** Idempotent. */
  readonly close: () => Promise<void>;
}
