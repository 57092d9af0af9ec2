// The gateway's interface: a reverse proxy on its own listener that sends verified training crawlers to the canonical page.
import type { Reason } from "./reason.ts";

export interface GatewayAddress {
  /** `http://127.0.0.1:47802` */
  readonly origin: string;
  readonly port: number;
}

/** A request that nobody made, to be explained. */
export interface ExplainRequest {
  /** Absolute, under a zone's public origin. */
  readonly url: string;
  readonly userAgent: string;
  /** The visitor's address. */
  readonly address: string;
  readonly referer?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface ExplanationStep {
  /** What was looked at, a few words: "Single redirects". */
  readonly name: string;
  /** It went on from here, or this decided. */
  readonly outcome: "passed" | "decided";
  /** A sentence. */
  readonly text: string;
}

export interface Explanation {
  readonly zoneId: string;
  readonly reason: Reason;
  /** Of the answer that the visitor would get. */
  readonly status: number;
  /** Where it would be sent; null where it would get the page. */
  readonly target: string | null;
  readonly steps: readonly ExplanationStep[];
}

export interface Gateway {
  /** Port 0 takes a free one; `advice` as `bind` has it. @throws AppError `address-in-use` */
  readonly listen: (options: { readonly port: number; readonly advice?: string }) => Promise<GatewayAddress>;
  /** Asks the origin as the visitor would. @throws AppError `not-found` for a URL of no zone, `invalid-input` */
  readonly explain: (request: ExplainRequest) => Promise<Explanation>;
  /** Ends the listener and every connection within a bounded time. Idempotent. */
  readonly close: () => Promise<void>;
}
