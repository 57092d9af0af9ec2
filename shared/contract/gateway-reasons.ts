// The reasons of the gateway's answers, as in the request log, explanations and reports.

export const reasons = [
  /** Sent to the canonical page. */
  "redirected",
  "single_redirect",
  "bulk_redirect",
  /** No setting or rule turns it on. */
  "feature_off",
  /** Not a GET, or no body to inspect. */
  "method",
  /** Not in the directory, or its proof is not valid. */
  "bot_unverified",
  /** A known user agent whose proof is not available. */
  "bot_unknown",
  /** Verified, but of a category that is not redirected. */
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
