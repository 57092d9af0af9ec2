// What is decided about a request before its origin hears of it: sent elsewhere by a redirect of the zone, passed on as
// it is, or passed on with a look into the answer, for a verified training crawler.
import { trainingCategory, type CrawlerVerdict } from "../crawlers/crawler-verdict.ts";
import type { Reason } from "../reason.ts";
import type { RequestFields } from "../rules/request-fields.ts";
import type { Feature, FeatureDecision } from "./feature.ts";
import type { Inquiry } from "./inquiry.ts";

export interface ZoneRedirects {
  readonly asksForBots: boolean;
  readonly find: (fields: RequestFields, url: string) => FoundRedirect | undefined;
}

export interface FoundRedirect {
  readonly kind: "single" | "bulk";
  readonly location: string;
  readonly status: number;
}

export type Plan =
  | {
      readonly kind: "redirect";
      readonly reason: "single_redirect" | "bulk_redirect";
      readonly location: string;
      readonly status: number;
    }
  /** `feature` and `verdict` are there as far as they were looked at. */
  | {
      readonly kind: "pass";
      readonly reason: Reason;
      readonly feature: FeatureDecision;
      readonly verdict?: CrawlerVerdict;
    }
  | { readonly kind: "look"; readonly feature: FeatureDecision; readonly verdict: CrawlerVerdict };

export interface PlanMeans {
  /** Of the zone; undefined where it has none. */
  readonly redirects: ZoneRedirects | undefined;
  readonly feature: Feature;
}

/** At once, but where it takes time to find out who the visitor is and the answer depends on it. */
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

function planRequest(inquiry: Inquiry, { redirects, feature }: PlanMeans): Plan | Promise<Plan> {
  const found = redirects?.find(inquiry, inquiry.url);
  if (found) {
    const { kind, location, status } = found;
    return {
      kind: "redirect",
      reason: kind === "single" ? "single_redirect" : "bulk_redirect",
      location,
      status,
    };
  }
  const decision = feature.decide(inquiry.site.zone, inquiry);
  if (!decision.isOn) return { kind: "pass", reason: "feature_off", feature: decision };
  if (inquiry.method !== "GET") return { kind: "pass", reason: "method", feature: decision };
  const verdict = inquiry.verdict();
  return verdict instanceof Promise
    ? verdict.then((known) => planVisitor(known, decision))
    : planVisitor(verdict, decision);
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
