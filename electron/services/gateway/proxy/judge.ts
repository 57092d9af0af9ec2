// Decides about a response that may be inspected: whether its body is worth it, and what its canonical link means.
import { isLoop, resolveCanonical } from "../canonical/resolve-canonical.ts";
import type { HeadFinding, HeadReaderOptions } from "../canonical/head-reader.ts";
import type { Reason } from "../../../../shared/contract/gateway-reasons.ts";
import { valueOf } from "./headers.ts";
import type { Inquiry } from "./inquiry.ts";

export type AnswerJudgement =
  | { readonly kind: "pass"; readonly reason: Reason }
  | { readonly kind: "look"; readonly into: HeadReaderOptions };

/** `rawHeaders` are names and values alternating. */
export function judgeAnswer(status: number, rawHeaders: readonly string[]): AnswerJudgement {
  if (status !== 200) return { kind: "pass", reason: "status" };
  const contentType = valueOf(rawHeaders, "content-type");
  if (contentType?.split(";", 1)[0]!.trim().toLowerCase() !== "text/html") {
    return { kind: "pass", reason: "content_type" };
  }
  const contentEncoding = valueOf(rawHeaders, "content-encoding", ", ");
  return { kind: "look", into: { contentType, contentEncoding } };
}

export type FindingJudgement =
  | { readonly kind: "pass"; readonly reason: Reason; readonly href?: string }
  | { readonly kind: "redirect"; readonly target: string; readonly href: string };

export function judgeFinding(finding: HeadFinding, inquiry: Inquiry): FindingJudgement {
  switch (finding.kind) {
    case "none":
      return { kind: "pass", reason: "no_canonical" };
    case "beyond-limit":
      return { kind: "pass", reason: "canonical_beyond_limit" };
    case "undecodable":
      return {
        kind: "pass",
        reason: finding.cause === "unknown-encoding" ? "content_encoding" : "origin_broken",
      };
    case "found":
      return judgeTarget(finding.href, inquiry);
  }
}

function judgeTarget(href: string, inquiry: Inquiry): FindingJudgement {
  const { publicOrigin } = inquiry.site;
  const target = resolveCanonical({ href, requestUrl: inquiry.url, publicOrigin });
  switch (target.kind) {
    case "invalid":
      return { kind: "pass", reason: "canonical_invalid", href };
    case "cross-origin":
      return { kind: "pass", reason: "canonical_cross_origin", href };
    case "self":
      return { kind: "pass", reason: "canonical_self", href };
    case "target": {
      const { referer } = inquiry.headers;
      return isLoop(referer, target.url)
        ? { kind: "pass", reason: "loop", href }
        : { kind: "redirect", target: target.url, href };
    }
  }
}
