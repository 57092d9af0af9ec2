// The words of the gateway: what it does for a briefing, why a request was answered as it was, how its list of crawlers is.
// They are for people who have never heard of canonical links: a page has a main page, and that is where a crawler is sent.
import type {
  CrawlerDirectory,
  Explanation,
  GatewayReport,
  GatewayZone,
} from "../../shared/contract/briefings.ts";
import { reasons, type Reason } from "../../shared/contract/gateway-reasons.ts";
import { counted, instantWords } from "./format.ts";
import type { VisitorKind } from "../state/common-visitors.ts";

export const gatewayOffSentence =
  "Switched on, it serves your briefings at an address of this computer, and can send crawlers that train AI from a revision's page to the event's page.";

export const configuredSentence = "The configuration file decides whether it is on.";

/** What the feature does, for a zone of briefings and for any other. */
export function featureSentence({ servesBriefings }: GatewayZone): string {
  const [page, main] = servesBriefings
    ? ["a revision's page", "the event's page"]
    : ["a page that names another as its main page", "that one"];
  return `A crawler that trains AI, and can prove who it is, asks for ${page}: it is sent to ${main}. Readers, search engines and assistants always get the page that they ask for.`;
}

/** Why the feature cannot be switched; undefined where it can. */
export function findFeatureObstacle({ feature, plan }: GatewayZone): string | undefined {
  return feature.editable
    ? undefined
    : `It is no part of the plan “${plan}” that the configuration file names.`;
}

/** `2 rules decide for some of the pages.`; undefined without one. */
export function rulesWords({ rules }: GatewayZone): string | undefined {
  if (rules === 0) return undefined;
  return `${counted(rules, "rule decides", "rules decide")} otherwise for some of the pages.`;
}

export interface DirectoryWords {
  readonly text: string;
  readonly tone: "quiet" | "late";
}

export function directoryWords(directory: CrawlerDirectory, nowMs: number): DirectoryWords {
  const { crawlers, updatedAt, isStale } = directory;
  if (updatedAt === null || crawlers === 0)
    return { text: "No crawler is known, so that nobody is sent elsewhere.", tone: "late" };
  const days = Math.max(0, Math.floor((nowMs - Date.parse(updatedAt)) / 86_400_000));
  const known = `${counted(crawlers, "crawler is", "crawlers are")} known, as of ${instantWords(updatedAt)}`;
  return isStale
    ? {
        text: `${known}. The list is ${counted(days, "day", "days")} old: it is still used, but new addresses are missing.`,
        tone: "late",
      }
    : { text: `${known}.`, tone: "quiet" };
}

const reasonWords: Readonly<Record<Reason, string>> = {
  redirected: "Sent to the main page",
  single_redirect: "Sent elsewhere by a redirect of the configuration file",
  bulk_redirect: "Sent elsewhere by a list of the configuration file",
  feature_off: "Got the page: sending crawlers to the main page is off here",
  method: "Got the answer: it did not ask to read a page",
  bot_unverified: "Got the page: no crawler that has proven who it is",
  bot_unknown: "Got the page: it names a crawler, and what would prove it cannot be had",
  bot_category: "Got the page: a known crawler that does not train AI",
  status: "Got the answer: the page is not there, or moved, or in error",
  content_type: "Got the file: it is no web page",
  content_encoding: "Got the page: it is packed in a way that cannot be read here",
  no_canonical: "Got the page: it names no main page",
  canonical_beyond_limit: "Got the page: it names its main page too far down",
  canonical_invalid: "Got the page: the address of its main page is not one",
  canonical_cross_origin: "Got the page: its main page is on another site",
  canonical_self: "Got the page: it is the main page itself",
  loop: "Got the page: it was just sent here from the main page",
  origin_unreachable: "Got an error: the server of the pages does not answer",
  origin_broken: "The server of the pages broke off",
};

function isReason(text: string): text is Reason {
  return (reasons as readonly string[]).includes(text);
}

/** A sentence without its full stop; a word that is not known stays as it is. */
export function toReasonWords(reason: string): string {
  return isReason(reason) ? reasonWords[reason] : reason;
}

/** `1,204 requests in the last 24 hours, 31 of them sent to a main page.` */
export function reportSentence({ requests, redirects }: GatewayReport, span: string): string {
  if (requests === 0) return `Nobody asked for a page in ${span}.`;
  const asked = `${counted(requests, "request", "requests")} in ${span}`;
  return redirects === 0
    ? `${asked}; none was sent to a main page.`
    : `${asked}, ${redirects} of them sent to a main page.`;
}

/** What the visitor would get, in a few words, and why. */
export function decisionWords({ reason, status, target }: Explanation): {
  readonly what: string;
  readonly why: string;
} {
  const what =
    target === null
      ? status < 400
        ? "Gets the page it asked for"
        : "Gets an error"
      : "Is sent to another page";
  // What it got was just said.
  const words = toReasonWords(reason).replace(/^Got [^:]+: /, "");
  return { what: `${what} (${status})`, why: `${words.charAt(0).toUpperCase()}${words.slice(1)}.` };
}

export const visitorKindWords: Readonly<Record<VisitorKind, string>> = {
  training: "Train AI",
  "search-answers": "Search for AI answers",
  assistant: "Read for somebody who asked an AI",
  search: "Search engines",
  browser: "People",
};

export const reportSpans = [
  { hours: 24, label: "24 hours", words: "the last 24 hours" },
  { hours: 24 * 7, label: "7 days", words: "the last 7 days" },
] as const;
