// Decides about a request before its origin is asked: a redirect of the zone, a response that passes unchanged, or a
// response whose head is inspected, for a verified training crawler.
import { trainingCategory, type CrawlerVerdict } from "../crawlers/crawler-verdict.ts";
import type { Reason } from "../../../../shared/contract/gateway-reasons.ts";
import type { FoundRedirect, ZoneRedirects } from "../redirects/create-redirects.ts";
import type { Feature, FeatureDecision } from "./feature.ts";
import type { Inquiry } from "./inquiry.ts";

export type Plan =
  | ({ readonly kind: "redirect" } & FoundRedirect)
  /** `verdict` is set if the visitor was checked. */
  | {
      readonly kind: "pass";
      readonly reason: Reason;
      readonly feature: FeatureDecision;
      readonly verdict?: CrawlerVerdict;
    }
  | { readonly kind: "look"; readonly feature: FeatureDecision; readonly verdict: CrawlerVerdict };

export interface PlanMeans {
  /** Undefined if the zone has none. */
  readonly redirects: ZoneRedirects | undefined;
  readonly feature: Feature;
}

/** Returns a promise only if the answer depends on who the visitor is and that takes time to find out. */
export function makePlan(inquiry: Inquiry, means: PlanMeans): Plan | Promise<Plan> {
  const { redirects, feature } = means;
  if (redirects?.asksForBots !== true && !feature.asksForBots(inquiry.site.zone)) {
    return planRequest(inquiry, means);
  }
  const verdict = inquiry.verdict();
  return verdict instanceof Promise
    ? verdict.then(() => planRequest(inquiry, means))
    : planRequest(inquiry, means);
}

function planRequest(inquiry: Inquiry, { redirects, feature: { decide } }: PlanMeans): Plan | Promise<Plan> {
  const found = redirects?.find(inquiry, inquiry.url);
  if (found) return { kind: "redirect", ...found };
  const feature = decide(inquiry.site.zone, inquiry);
  if (!feature.isOn) return { kind: "pass", reason: "feature_off", feature };
  if (inquiry.method !== "GET") return { kind: "pass", reason: "method", feature };
  const verdict = inquiry.verdict();
  return verdict instanceof Promise
    ? verdict.then((known) => planVisitor(known, feature))
    : planVisitor(verdict, feature);
}

function planVisitor(verdict: CrawlerVerdict, feature: FeatureDecision): Plan {
  switch (verdict.status) {
    case "unverified":
      return { kind: "pass", reason: "bot_unverified", feature, verdict };
    case "unknown":
      return { kind: "pass", reason: "bot_unknown", feature, verdict };
    case "verified":
      return verdict.category === trainingCategory
        ? { kind: "look", feature, verdict }
        : { kind: "pass", reason: "bot_category", feature, verdict };
  }
}
