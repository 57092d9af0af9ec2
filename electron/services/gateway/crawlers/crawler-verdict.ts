// Verdicts on a visitor's identity. Only `verified` changes what a visitor sees.
import type { IncomingHttpHeaders } from "node:http";
import type { CrawlerDirectory } from "../../../../shared/contract/briefings.ts";

/** The category of crawlers that are redirected. */
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
  /** No entry of the directory matches, or its proof fails. `claimed` is the entry that the user agent names. */
  | { readonly status: "unverified"; readonly claimed: string | undefined; readonly why: string }
  /** The user agent names an entry that cannot be checked: no published ranges, no answer from the DNS. */
  | { readonly status: "unknown"; readonly claimed: string; readonly why: string };

export interface Visitor {
  /** IPv4 or IPv6 text; IPv4 for an IPv4-mapped IPv6 address. */
  readonly address: string;
  readonly userAgent: string;
  /** `GET` */
  readonly method: string;
  /** Public authority that the visitor asked for: `brief.example`, with a port that is not the scheme's default. */
  readonly authority: string;
  /** Absolute public URL. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface CrawlerVerifier {
  /** Returns true if the visitor may be a crawler: cheap, and false for every browser. */
  readonly mayBeCrawler: (visitor: Visitor) => boolean;
  /** Never rejects. Waits for the DNS for at most 500 ms. */
  readonly verify: (visitor: Visitor) => Promise<CrawlerVerdict>;
  /** `updatedAt` is that of the file; `problem` says why its newest version is not in use. */
  readonly state: () => CrawlerDirectory;
  /** Idempotent. */
  readonly close: () => Promise<void>;
}
