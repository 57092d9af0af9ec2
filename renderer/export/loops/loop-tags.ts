// The tags in a loop's file, for programs that show no picture.
import { escapeXml } from "../../../shared/kml/kml-text.ts";
import type { EventNature } from "../../../shared/revisions/event-origin.ts";
import { counted } from "../../text/format.ts";
import { countRevisions, type LoopPlan } from "./loop-plan.ts";

const natureSentences: Readonly<Record<EventNature, string>> = {
  live: "A live feed when it was made.",
  benchmark: "A past event.",
  synthetic: "Synthetic: these storms never happened.",
  replay: "Replay of a past event, not live.",
  "synthetic-replay": "Replay of a synthetic event, not live: these storms never happened.",
};

/** `Demonstration storm (synthetic), loop of 27 revisions` */
export function toTitle(plan: LoopPlan): string {
  return `${plan.label}, loop of ${counted(countRevisions(plan), "revision", "revisions")}`;
}

/** Lines of plain text: nature, disclosure, notes, times, every frame with its revision. */
export function toComment(plan: LoopPlan): string {
  return [
    natureSentences[plan.nature],
    plan.disclosure,
    ...plan.notes,
    `Credits: ${plan.attribution}`,
    `Event: ${plan.eventId}`,
    ...(plan.knownAt === undefined ? [] : [`As known at revision ${plan.knownAt}`]),
    `Made ${toInstant(plan.madeMs)}, before revision ${plan.newest + 1}`,
    `${plan.speed} frames a second:`,
    ...plan.frames.map((frame) =>
      "gap" in frame
        ? `no revision observed ${toInstant(frame.gap.fromMs)} to ${toInstant(frame.gap.toMs)}`
        : `revision ${frame.revision.sequence} observed ${frame.revision.observedAt} ${frame.revision.revisionId ?? ""}`.trim(),
    ),
  ].join("\n");
}

/** Returns an XMP packet with the same words. */
export function toXmp(plan: LoopPlan): string {
  const alternative = (name: string, text: string) =>
    `<dc:${name}><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt></dc:${name}>`;
  return [
    `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>`,
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`,
    `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">`,
    alternative("title", toTitle(plan)),
    alternative("description", toComment(plan)),
    alternative("rights", plan.attribution),
    `<xmp:CreateDate>${toInstant(plan.madeMs)}</xmp:CreateDate><xmp:CreatorTool>Echotop</xmp:CreatorTool>`,
    `</rdf:Description></rdf:RDF></x:xmpmeta>`,
    `<?xpacket end="r"?>`,
  ].join("\n");
}

function toInstant(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
