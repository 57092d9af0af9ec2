// The words about briefings and their web server (the gateway). Most readers do not know canonical links: here, a page
// has a main page, and crawlers are sent there.
import type {
  Briefing,
  CrawlerDirectory,
  Explanation,
  GatewayReport,
  GatewayZone,
} from "../../shared/contract/briefings.ts";
import { reasons, type Reason } from "../../shared/contract/gateway-reasons.ts";
import type { VisitorKind } from "../state/forms/common-visitors.ts";
import type { ChosenRevisions } from "../state/forms/revision-choice.ts";
import { counted, instantWords } from "./format.ts";
import { capitalize } from "./state-text.ts";

export const briefingIntroduction =
  "A briefing is an event as plain web pages: one for the event and one for each chosen revision, with its picture, times and caveats. Anyone can read it in any browser.";

/** `13 pages · 2 Nov 2026 1120Z` */
export function briefingFacts({ revisionPages, publishedAt }: Briefing): string {
  return `${counted(revisionPages + 1, "page", "pages")} · ${instantWords(publishedAt)}`;
}

/** Returns undefined if the briefing is up to date. */
export function behindWords({ behind }: Briefing): string | undefined {
  if (behind === 0) return undefined;
  return `${counted(behind, "newer revision is", "newer revisions are")} not in it.`;
}

/** Describes the pages to be published, or the problem. */
export function choiceWords(chosen: ChosenRevisions): string {
  if (chosen.problem !== undefined) return chosen.problem;
  const { sequences, pages } = chosen;
  const last = sequences?.at(-1);
  if (sequences === undefined || last === undefined)
    return `1 event page and ${counted(pages, "page", "pages")} for the newest ${pages === 1 ? "revision" : "revisions"}`;
  if (pages === 1) return `1 event page and 1 page for revision ${last}`;
  return `1 event page and ${pages} pages for revisions between ${sequences[0]} and ${last}`;
}

export const serverPurpose =
  "Serves your briefings at an address on this computer. It can also send AI training crawlers from a revision's page to the event's page.";

export const configuredSentence = "The configuration file decides whether it is on.";

/** Explains the redirects, for a zone of briefings and for any other. */
export function featureSentence({ servesBriefings }: GatewayZone): string {
  const [page, main] = servesBriefings
    ? ["a revision's page", "the event's page"]
    : ["a page that names a main page", "the main page"];
  return `An AI training crawler that proves its identity and requests ${page} is sent to ${main}. Readers, search engines and assistants always get the page they request.`;
}

/** Returns the reason why redirects cannot be turned on or off; undefined if they can. */
export function findFeatureObstacle({ feature, plan }: GatewayZone): string | undefined {
  return feature.editable ? undefined : `Not part of plan “${plan}” in the configuration file.`;
}

/** `2 rules override this for some pages.`; undefined without rules. */
export function rulesWords({ rules }: GatewayZone): string | undefined {
  if (rules === 0) return undefined;
  return `${counted(rules, "rule overrides", "rules override")} this for some pages.`;
}

export interface DirectoryWords {
  readonly text: string;
  readonly tone: "quiet" | "warning";
}

export function directoryWords(directory: CrawlerDirectory, nowMs: number): DirectoryWords {
  const { crawlers, updatedAt, isStale } = directory;
  if (updatedAt === null || crawlers === 0)
    return { text: "No crawlers are known, so none is redirected.", tone: "warning" };
  const days = Math.max(0, Math.floor((nowMs - Date.parse(updatedAt)) / 86_400_000));
  const known = `${counted(crawlers, "known crawler", "known crawlers")}, as of ${instantWords(updatedAt)}.`;
  if (!isStale) return { text: known, tone: "quiet" };
  const age = counted(days, "day", "days");
  return { text: `${known} The list is ${age} old and may lack new addresses.`, tone: "warning" };
}

const reasonWords: Readonly<Record<Reason, string>> = {
  redirected: "Sent to the main page",
  single_redirect: "Redirected by a rule in the configuration file",
  bulk_redirect: "Redirected by a list in the configuration file",
  feature_off: "Got the page: redirects are off here",
  method: "Got the response: not a request to read a page",
  bot_unverified: "Got the page: not a verified crawler",
  bot_unknown: "Got the page: it names a crawler, but that can't be verified now",
  bot_category: "Got the page: a known crawler that does not train AI",
  status: "Got the response: the page is missing, moved or failed",
  content_type: "Got the file: not a web page",
  content_encoding: "Got the page: its compression can't be read here",
  no_canonical: "Got the page: it names no main page",
  canonical_beyond_limit: "Got the page: it names its main page too far down",
  canonical_invalid: "Got the page: the address of its main page is invalid",
  canonical_cross_origin: "Got the page: its main page is on another site",
  canonical_self: "Got the page: it is the main page itself",
  loop: "Got the page: it was just sent here from the main page",
  origin_unreachable: "Got an error: the origin server does not respond",
  origin_broken: "The origin server closed the connection early",
};

function isReason(text: string): text is Reason {
  return (reasons as readonly string[]).includes(text);
}

/** Returns a sentence without a full stop; passes an unknown reason through. */
export function toReasonWords(reason: string): string {
  return isReason(reason) ? reasonWords[reason] : reason;
}

/** `1204 page requests in the last 24 hours, 31 sent to a main page` */
export function reportSentence({ requests, redirects }: GatewayReport, span: string): string {
  if (requests === 0) return `No page requests in ${span}`;
  return `${counted(requests, "page request", "page requests")} in ${span}, ${redirects || "none"} sent to a main page`;
}

/** Describes the response to the visitor, and the reason. */
export function decisionWords({ reason, status, target }: Explanation): {
  readonly what: string;
  readonly why: string;
} {
  const gets = status < 400 ? "Gets the requested page" : "Gets an error";
  // `what` names the response already.
  const words = toReasonWords(reason).replace(/^Got [^:]+: /, "");
  return {
    what: `${target === null ? gets : "Is sent to another page"} (${status})`,
    why: `${capitalize(words)}.`,
  };
}

export const visitorKindWords: Readonly<Record<VisitorKind, string>> = {
  training: "AI training crawlers",
  "search-answers": "AI search crawlers",
  assistant: "AI assistants",
  search: "Search engines",
  browser: "Browsers",
};

export const reportSpans = [
  { value: 24, label: "24 hours", name: "the last 24 hours" },
  { value: 24 * 7, label: "7 days", name: "the last 7 days" },
] as const;
