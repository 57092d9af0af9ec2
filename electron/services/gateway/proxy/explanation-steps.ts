// Describes the way of an explained request in sentences for a forecaster, up to the step that decided.
import type { Explanation } from "../../../../shared/contract/briefings.ts";
import type { CrawlerProof, CrawlerVerdict } from "../crawlers/crawler-verdict.ts";
import { trainingCategory } from "../crawlers/crawler-verdict.ts";
import { proxyLimits } from "../gateway-limits.ts";
import type { Reason } from "../../../../shared/contract/gateway-reasons.ts";
import type { Outcome } from "./delivery.ts";
import type { FeatureDecision } from "./feature.ts";
import type { Inquiry } from "./inquiry.ts";
import type { Plan } from "./delivery-plan.ts";

type Step = Omit<Explanation["steps"][number], "outcome">;

export function toSteps(inquiry: Inquiry, plan: Plan, outcome: Outcome): Explanation["steps"] {
  const zone = {
    name: "Zone",
    text: `${inquiry.host} belongs to zone ${inquiry.site.zone.id}. The page's public address is ${inquiry.url}.`,
  };
  const noRedirect = { name: "Redirects", text: "No single or bulk redirect of the zone matches." };
  const steps =
    plan.kind === "redirect"
      ? [zone, describeRedirect(plan)]
      : [zone, noRedirect, ...describePassing(plan, outcome)];
  return steps.map(({ name, text }, index) => ({
    name,
    outcome: index === steps.length - 1 ? "decided" : "passed",
    text,
  }));
}

function describeRedirect({ reason, location, status }: Extract<Plan, { kind: "redirect" }>): Step {
  const kind = reason === "single_redirect" ? "Single redirect" : "Bulk redirect";
  return {
    name: `${kind}s`,
    text: `A ${kind.toLowerCase()} of the zone matches: it sends every visitor to ${location} with status ${status}, before the origin is asked.`,
  };
}

const unchanged = "The visitor gets the page unchanged.";

function describePassing(plan: Exclude<Plan, { kind: "redirect" }>, outcome: Outcome): readonly Step[] {
  const isUnreachable = outcome.reason === "origin_unreachable";
  const steps = [{ name: "Crawler redirects", text: describeFeature(plan.feature) }];
  if (plan.verdict) steps.push({ name: "Visitor", text: describeVerdict(plan.verdict) });
  if (isUnreachable) return [...steps, { name: "Origin", text: describeUnreachable(outcome.status) }];
  if (plan.kind === "look") return [...steps, ...describeInspection(outcome)];
  const last = steps.pop()!;
  return [...steps, { ...last, text: `${last.text} ${unchanged}` }];
}

function describeFeature(decision: FeatureDecision): string {
  const state = decision.isOn ? "on" : "off";
  switch (decision.by) {
    case "plan":
      return "The zone's plan does not include redirects for training crawlers.";
    case "setting":
      return `The zone's setting turns redirects for training crawlers ${state}, and no rule overrides it.`;
    case "rule": {
      const { description, expression } = decision.rule;
      return `The rule "${description || expression}" turns redirects for training crawlers ${state} for this page.`;
    }
  }
}

const proofs: Readonly<Record<CrawlerProof, string>> = {
  signature: "by its signature",
  ranges: "by its user agent and an address that its operator publishes",
  dns: "by its user agent and the DNS name of its address",
};

function describeVerdict(verdict: CrawlerVerdict): string {
  if (verdict.status === "verified") {
    const { name, operator, category, proof } = verdict;
    const rest = category === trainingCategory ? "" : ` Only the category ${trainingCategory} is redirected.`;
    return `The visitor is ${name} of ${operator}, verified ${proofs[proof]}; its category is ${category}.${rest}`;
  }
  const who = verdict.claimed === undefined ? "" : `The visitor identifies itself as ${verdict.claimed}. `;
  return who + (/[.!?]$/.test(verdict.why) ? verdict.why : `${verdict.why}.`);
}

function describeUnreachable(status: number): string {
  const what = status === 504 ? "did not answer in time" : "gave no valid response";
  return `The page's origin ${what}; every visitor gets this error.`;
}

/** Why a response was not inspected. */
const notInspected: Partial<Readonly<Record<Reason, string>>> = {
  status: "Only pages with status 200 are searched for a canonical link.",
  content_type: "Only text/html pages are searched for a canonical link.",
  content_encoding: "Its compression cannot be decoded here.",
  origin_broken: "The head of its page could not be read.",
};

function describeInspection(outcome: Outcome): readonly Step[] {
  const { origin, reason, status } = outcome;
  const type = origin?.contentType === undefined ? "" : ` and ${origin.contentType}`;
  const answered = `The origin answered with status ${origin?.status ?? status}${type}.`;
  const why = notInspected[reason];
  if (why !== undefined) return [{ name: "Origin", text: `${answered} ${why} ${unchanged}` }];
  return [{ name: "Origin", text: answered }, ...describeLink(outcome)];
}

function describeLink({ reason, href, target }: Outcome): readonly Step[] {
  const name = "Canonical link";
  const link = `The page's head names "${toShown(href ?? "")}" as its canonical address`;
  switch (reason) {
    case "no_canonical":
      return [{ name, text: `The page's head has no canonical link. ${unchanged}` }];
    case "canonical_beyond_limit":
      return [
        { name, text: `There is no canonical link within the first 256 KiB of the page. ${unchanged}` },
      ];
    case "canonical_invalid":
      return [{ name, text: `${link}, which is not a valid redirect target. ${unchanged}` }];
    case "canonical_cross_origin":
      return [{ name, text: `${link}, which belongs to another origin. ${unchanged}` }];
    case "canonical_self":
      return [{ name, text: `${link}, which is this page itself. ${unchanged}` }];
    case "loop":
      return [
        { name, text: `${link}.` },
        { name: "Loop", text: `The visitor has just come from there and would go in circles. ${unchanged}` },
      ];
    default:
      return [
        { name, text: `${link}.` },
        { name: "Redirect", text: `The crawler is sent to ${target ?? ""} with status 301.` },
      ];
  }
}

/** Shortens the text and replaces control characters: a page may write anything there. */
function toShown(text: string): string {
  const most = proxyLimits.shownLinkChars;
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return shown.replace(/\p{C}/gu, "\u{FFFD}");
}
