// The way of an explained request in sentences that a forecaster understands, up to the step that decided.
import type { CrawlerProof, CrawlerVerdict } from "../crawlers/crawler-verdict.ts";
import { trainingCategory } from "../crawlers/crawler-verdict.ts";
import type { ExplanationStep } from "../gateway.ts";
import type { Outcome } from "./delivery.ts";
import type { FeatureDecision } from "./feature.ts";
import type { Inquiry } from "./inquiry.ts";
import type { Plan } from "./delivery-plan.ts";

type Passing = Exclude<Plan, { kind: "redirect" }>;

interface Told {
  readonly name: string;
  readonly text: string;
}

export function toSteps(inquiry: Inquiry, plan: Plan, outcome: Outcome): readonly ExplanationStep[] {
  const zone = {
    name: "Zone",
    text: `${inquiry.host} belongs to zone ${inquiry.site.zone.id}; visitors know the page as ${inquiry.url}.`,
  };
  const told =
    plan.kind === "redirect"
      ? [zone, tellRedirect(plan)]
      : [
          zone,
          { name: "Redirects", text: "No single or bulk redirect of the zone matches." },
          ...tellPassing(plan, outcome),
        ];
  return told.map(({ name, text }, index) => ({
    name,
    outcome: index === told.length - 1 ? "decided" : "passed",
    text,
  }));
}

function tellRedirect({ reason, location, status }: Extract<Plan, { kind: "redirect" }>): Told {
  const [name, kind] =
    reason === "single_redirect"
      ? ["Single redirects", "single redirect"]
      : ["Bulk redirects", "bulk redirect"];
  return {
    name,
    text: `A ${kind} of the zone matches: every such visitor is sent to ${location} with status ${status}, and the origin is not asked.`,
  };
}

function tellPassing(plan: Passing, outcome: Outcome): readonly Told[] {
  const feature = { name: "Crawler redirects", text: tellFeature(plan.feature) };
  const isUnreachable = outcome.reason === "origin_unreachable";
  const asIs = plan.kind === "pass" && !isUnreachable ? " The page is passed on as it is." : "";
  const visitor = plan.verdict && { name: "Visitor", text: tellVerdict(plan.verdict) + asIs };
  const steps = visitor ? [feature, visitor] : [{ ...feature, text: feature.text + asIs }];
  if (isUnreachable) return [...steps, { name: "Origin", text: tellUnreachable(outcome.status) }];
  return plan.kind === "pass" ? steps : [...steps, ...tellLook(outcome)];
}

function tellFeature(decision: FeatureDecision): string {
  switch (decision.by) {
    case "plan":
      return "The zone's plan does not include redirects for training crawlers.";
    case "setting":
      return decision.isOn
        ? "The zone's setting turns redirects for training crawlers on, and no rule says otherwise."
        : "The zone's setting leaves redirects for training crawlers off, and no rule says otherwise.";
    case "rule": {
      const { description, expression } = decision.rule;
      return `The rule "${description || expression}" turns redirects for training crawlers ${decision.isOn ? "on" : "off"} for this page.`;
    }
  }
}

const proofs: Readonly<Record<CrawlerProof, string>> = {
  signature: "by its signature",
  ranges: "by its user agent and an address that its operator publishes",
  dns: "by its user agent and the name of its address",
};

function tellVerdict(verdict: CrawlerVerdict): string {
  if (verdict.status === "verified") {
    const { name, operator, category, proof } = verdict;
    const rest = category === trainingCategory ? "" : ` Only the category ${trainingCategory} is redirected.`;
    return `The visitor is ${name} of ${operator}, proven ${proofs[proof]}; its category is ${category}.${rest}`;
  }
  const who = verdict.claimed === undefined ? "" : `The visitor calls itself ${verdict.claimed}. `;
  return `${who}${toSentence(verdict.why)}`;
}

const toSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function tellUnreachable(status: number): string {
  return status === 504
    ? "The page's origin did not answer in time, which every visitor is told."
    : "The page's origin gave no answer that can be passed on, which every visitor is told.";
}

function tellLook(outcome: Outcome): readonly Told[] {
  const { origin, reason } = outcome;
  const answered = `The origin answered with status ${origin?.status ?? outcome.status}${origin?.contentType === undefined ? "" : ` and ${origin.contentType}`}.`;
  const asIs = "The page is passed on as it is.";
  switch (reason) {
    case "status":
      return [{ name: "Origin", text: `${answered} Only answers with status 200 are looked into. ${asIs}` }];
    case "content_type":
      return [{ name: "Origin", text: `${answered} Only pages of text/html are looked into. ${asIs}` }];
    case "content_encoding":
      return [
        { name: "Origin", text: `${answered} Its compression is not one that can be looked into. ${asIs}` },
      ];
    case "origin_broken":
      return [
        { name: "Origin", text: `${answered} Its page could not be read to the end of its head. ${asIs}` },
      ];
    default:
      return [{ name: "Origin", text: answered }, ...tellLink(outcome, asIs)];
  }
}

const shownLength = 300;

/** A page may write very much there, and signs that steer a terminal. */
function toShown(text: string): string {
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return shown.replace(/\p{C}/gu, "\u{FFFD}");
}

function tellLink({ reason, href, target }: Outcome, asIs: string): readonly Told[] {
  const name = "Canonical link";
  const link = `The page's head names "${toShown(href ?? "")}" as its canonical address`;
  switch (reason) {
    case "no_canonical":
      return [{ name, text: `The page's head has no canonical link. ${asIs}` }];
    case "canonical_beyond_limit":
      return [{ name, text: `There is no canonical link within the first 256 KiB of the page. ${asIs}` }];
    case "canonical_invalid":
      return [{ name, text: `${link}, which is no address that a visitor can be sent to. ${asIs}` }];
    case "canonical_cross_origin":
      return [{ name, text: `${link}, which belongs to another origin. ${asIs}` }];
    case "canonical_self":
      return [{ name, text: `${link}, which is this page itself. ${asIs}` }];
    case "loop":
      return [
        { name, text: `${link}.` },
        { name: "Loop", text: `The visitor has just come from there, and would go in circles. ${asIs}` },
      ];
    default:
      return [
        { name, text: `${link}.` },
        { name: "Redirect", text: `The crawler is sent to ${target ?? ""} with status 301.` },
      ];
  }
}
