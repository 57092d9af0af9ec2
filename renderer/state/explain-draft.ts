// The form that asks what the gateway would do with a request: who comes, from where, and for which page.
import { ExplainInput, type Briefing, type GatewayZone } from "../../shared/contract/briefings.ts";
import { commonVisitors } from "./common-visitors.ts";

export interface ExplainDraft {
  readonly url: string;
  /** A name of the common visitors, or `other`. */
  readonly visitor: string;
  /** What `other` says of itself. */
  readonly userAgent: string;
  readonly address: string;
  /** The page before, which the visitor's link was on; empty for none. */
  readonly referer: string;
}

export const otherVisitor = "other";

/** A form to begin with: the first of the common visitors asks for this page. */
export function toFirstDraft(url: string): ExplainDraft {
  const empty = { url, visitor: otherVisitor, userAgent: "", address: "", referer: "" };
  return chooseVisitor(empty, commonVisitors[0]?.name ?? otherVisitor);
}

/** Another visitor, at an address of its own where one is known; an address that was typed stays. */
export function chooseVisitor(draft: ExplainDraft, visitor: string): ExplainDraft {
  const isTyped = draft.address !== findKnownAddress(draft.visitor);
  return { ...draft, visitor, address: isTyped ? draft.address : findKnownAddress(visitor) };
}

function findKnownAddress(visitor: string): string {
  return commonVisitors.find(({ name }) => name === visitor)?.knownAddress ?? "";
}

export function findUserAgent({ visitor, userAgent }: ExplainDraft): string {
  return commonVisitors.find(({ name }) => name === visitor)?.userAgent ?? userAgent.trim();
}

/** The request that is to be explained, or what the form still lacks. */
export function toExplainInput(
  draft: ExplainDraft,
): { readonly input: ExplainInput } | { readonly problem: string } {
  const [url, address, referer] = [draft.url.trim(), draft.address.trim(), draft.referer.trim()];
  const { shape } = ExplainInput;
  if (!shape.url.safeParse(url).success)
    return { problem: "Enter the whole address of a page, such as https://brief.example/." };
  if (!shape.address.safeParse(address).success)
    return { problem: "Enter the visitor's address, such as 203.0.113.7." };
  const { success, data } = ExplainInput.safeParse({
    url,
    address,
    userAgent: findUserAgent(draft),
    ...(referer !== "" && { referer }),
  });
  return success ? { input: data } : { problem: "A name or an address is too long." };
}

/** The page to begin with: the shown revision's in the event's briefing where there is one, else the zone's first. */
export function toFirstUrl(
  zone: GatewayZone,
  { briefing, shown }: { readonly briefing: Briefing | undefined; readonly shown: number | undefined },
): string {
  const page =
    briefing && zone.servesBriefings && shown !== undefined ? `${briefing.eventId}/r/${shown}/` : "";
  return `${zone.publicOrigin}/${page}`;
}
