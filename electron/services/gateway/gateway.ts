// The gateway's interface: a reverse proxy on its own listener that redirects verified training crawlers to canonical pages.
import type { Reason } from "./reason.ts";

export interface GatewayAddress {
  /** `http://127.0.0.1:47802` */
  readonly origin: string;
  readonly port: number;
}

/** A made-up request to explain. */
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
  /** A few words: "Single redirects". */
  readonly name: string;
  /** Only the last step decided. */
  readonly outcome: "passed" | "decided";
  /** A sentence. */
  readonly text: string;
}

export interface Explanation {
  readonly zoneId: string;
  readonly reason: Reason;
  /** Status that the visitor would get. */
  readonly status: number;
  /** Where the visitor would be sent; null if it would get the page. */
  readonly target: string | null;
  readonly steps: readonly ExplanationStep[];
}

export interface Gateway {
  /** Port 0 takes a free one; `advice` is that of `bind`. @throws AppError `address-in-use` */
  readonly listen: (options: { readonly port: number; readonly advice?: string }) => Promise<GatewayAddress>;
  /** Asks the origin as the visitor would. @throws AppError `not-found` if no zone has the URL, `invalid-input` */
  readonly explain: (request: ExplainRequest) => Promise<Explanation>;
  /** Closes the listener and every connection within a bounded time. Idempotent. */
  readonly close: () => Promise<void>;
}
