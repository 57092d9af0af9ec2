// The form that asks what the gateway would do with a request: visitor, address and page.
import { ExplainInput, type Briefing, type GatewayZone } from "../../../shared/contract/briefings.ts";
import { commonVisitors } from "./common-visitors.ts";

export interface ExplainDraft {
  readonly url: string;
  /** Name of a common visitor, or `other`. */
  readonly visitor: string;
  /** User agent of `other`. */
  readonly userAgent: string;
  readonly address: string;
  /** Page that linked to this one; empty for none. */
  readonly referer: string;
}

export const otherVisitor = "other";

/** Returns the initial form: the first common visitor requests this page. */
export function toFirstDraft(url: string): ExplainDraft {
  const empty = { url, visitor: otherVisitor, userAgent: "", address: "", referer: "" };
  return chooseVisitor(empty, commonVisitors[0]?.name ?? otherVisitor);
}

/** Changes the visitor, and its address if one is known; an address that was typed stays. */
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

/** Returns the request to explain, or the problem of the form. */
export function toExplainInput(
  draft: ExplainDraft,
): { readonly input: ExplainInput } | { readonly problem: string } {
  const [url, address, referer] = [draft.url.trim(), draft.address.trim(), draft.referer.trim()];
  const { shape } = ExplainInput;
  if (!shape.url.safeParse(url).success)
    return { problem: "Enter the full address of a page, such as https://brief.example/." };
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

/** Returns the initial page: that of the shown revision if the event has a briefing, else the root of the zone. */
export function toFirstUrl(
  zone: GatewayZone,
  { briefing, shown }: { readonly briefing: Briefing | undefined; readonly shown: number | undefined },
): string {
  const page =
    briefing && zone.servesBriefings && shown !== undefined ? `${briefing.eventId}/r/${shown}/` : "";
  return `${zone.publicOrigin}/${page}`;
}
