// The texts in a picture's file: iTXt chunks of PNG, a comment of GIF, XMP of WebP.
import { pictureKeyword } from "../../../shared/contract/frame-format.ts";
import type { PngText } from "../../../shared/png/png-text.ts";
import { natureNotes, natureOf, splitLabel } from "../../../shared/revisions/event-origin.ts";
import { toMoment } from "../briefings/briefing-words.ts";
import { toFoot, toPublishedWord } from "./frame-words.ts";
import type { ExportedRevision, ExportPlan } from "./read-frames.ts";

export interface FileTexts {
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly disclaimer: string;
  /** JSON for programs, as in the pictures that the viewer saves; one map a revision. */
  readonly facts: string;
}

const software = "Echotop";

export function describeFile(plan: ExportPlan, revisions: readonly ExportedRevision[]): FileTexts {
  const { event, layers } = plan;
  const nature = natureOf(event);
  const labels = layers.map(({ layer }) => layer.label).join(" and ");
  const { disclosure, credits } = toFoot(plan, "echotop");
  const published = toPublishedWord(plan).toLowerCase();
  const lines = revisions.map(
    ({ sequence, observedAt, publishedAt }) =>
      `Revision ${sequence} of ${event.latestSequence}, observed ${toMoment(observedAt)}, ${published} ${toMoment(publishedAt)}.`,
  );
  const mark = natureNotes[nature];
  return {
    title: `${event.label}: ${labels}`,
    description: [...(mark === undefined ? [] : [`${mark}.`]), ...lines].join(" "),
    source: credits,
    disclaimer: disclosure,
    facts: JSON.stringify({
      format: "echotop-picture",
      version: 1,
      maps: revisions.map(({ sequence, revisionId, observedAt, publishedAt, layers: own }) => ({
        event: { id: event.id, label: splitLabel(event.label).name, nature },
        revision: { sequence, id: revisionId, observedAt, publishedAt },
        layers: own.map(({ layer: { id, imageUrl } }) => ({ id, imageUrl })),
      })),
    }),
  };
}

/** The keywords are those of the PNG specification (11.3.4.2), but for our own. */
export function toPngTexts({ title, description, source, disclaimer, facts }: FileTexts): PngText[] {
  return [
    { keyword: "Title", text: title },
    { keyword: "Description", text: description },
    { keyword: "Source", text: source },
    { keyword: "Copyright", text: source },
    { keyword: "Disclaimer", text: disclaimer },
    { keyword: "Software", text: software },
    { keyword: pictureKeyword, text: facts },
  ];
}

/** Returns plain text, the JSON on the last line. */
export function toComment({ title, description, source, disclaimer, facts }: FileTexts): string {
  return [title, description, disclaimer, `Source: ${source}`, `Software: ${software}`, facts].join("\n");
}

/** Returns an XMP packet (ISO 16684-1) with Dublin Core, and the JSON in a property of ours. */
export function toXmp({ title, description, source, disclaimer, facts }: FileTexts): string {
  const language = (name: string, text: string): string =>
    `<dc:${name}><rdf:Alt><rdf:li xml:lang="x-default">${escape(text)}</rdf:li></rdf:Alt></dc:${name}>`;
  return (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>' +
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"' +
    ' xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:echotop="urn:echotop:picture">' +
    language("title", title) +
    language("description", description) +
    language("rights", disclaimer) +
    `<dc:source>${escape(source)}</dc:source><xmp:CreatorTool>${software}</xmp:CreatorTool>` +
    `<echotop:picture>${escape(facts)}</echotop:picture>` +
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>'
  );
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
