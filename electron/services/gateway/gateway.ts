// The gateway's interface: a reverse proxy on its own listener that redirects verified training crawlers to canonical
// pages.
import type { ExplainInput, Explanation } from "../../../shared/contract/briefings.ts";

export interface GatewayAddress {
  /** `http://127.0.0.1:47802` */
  readonly origin: string;
  readonly port: number;
}

/** A made-up request to explain; its `url` is under a zone's public origin. */
export interface ExplainRequest extends ExplainInput {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Gateway {
  /** Port 0 takes a free one; `advice` is that of `bind`. @throws AppError `address-in-use` */
  readonly listen: (options: { readonly port: number; readonly advice?: string }) => Promise<GatewayAddress>;
  /** Asks the origin as the visitor would. @throws AppError `not-found` if no zone has the URL, `invalid-input` */
  readonly explain: (request: ExplainRequest) => Promise<Explanation>;
  /**
   * Accepts no new connections, and lets running requests finish for at most `durationMs`. Resolves when they have;
   * then only `close` remains to be called.
   */
  readonly drain: (durationMs: number) => Promise<void>;
  /** Closes the listener and every connection within a bounded time. Idempotent. */
  readonly close: () => Promise<void>;
}
