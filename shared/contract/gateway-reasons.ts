// Why the gateway answered a request as it did: one word a record, of the request log, of explanations and of reports.

export const reasons = [
  /** Sent to the canonical page. */
  "redirected",
  "single_redirect",
  "bulk_redirect",
  /** Neither the zone's setting nor a rule asks for it. */
  "feature_off",
  /** Neither a GET, nor in need of a look at the body. */
  "method",
  /** Nobody whom the directory knows, or whose proof holds. */
  "bot_unverified",
  /** A known user agent whose proof cannot be had. */
  "bot_unknown",
  /** Verified, and of a category that is not redirected. */
  "bot_category",
  "status",
  "content_type",
  "content_encoding",
  "no_canonical",
  "canonical_beyond_limit",
  "canonical_invalid",
  "canonical_cross_origin",
  "canonical_self",
  "loop",
  "origin_unreachable",
  /** The body broke off or could not be read before the decision. */
  "origin_broken",
] as const;
export type Reason = (typeof reasons)[number];
