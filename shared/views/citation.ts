// The citation of a view: a sentence for each picture with what a reader needs to find it again, and the link.
import { getProduct } from "../products/registry.ts";
import type { CitableView, PinnedFrame, ViewedPane } from "./citable-view.ts";

/** Words of the service about the data of a pane. */
export interface PaneCredits {
  readonly attribution: string;
  readonly disclosure: string;
}

/** `credits` has one entry for each pane of a pinned view. */
export function toCitation(view: CitableView, credits: readonly PaneCredits[], link: string): string {
  const said = view.panes.map((pane, index) => citePane(pane, credits[index]!));
  const sentences = said.length === 1 ? said : said.map((text, index) => `Pane ${"ABCD"[index]}: ${text}`);
  return [...sentences, `Echotop view: ${link}`].join("\n");
}

function citePane(
  { event, revision, knownAt, layers, soFar, comparing }: ViewedPane,
  credits: PaneCredits,
): string {
  const shown = layers.filter(({ visible }) => visible).map(({ id }) => id);
  const parts = [
    event.label,
    ...(revision
      ? [
          revision.id === undefined
            ? `revision ${revision.sequence}`
            : `revision ${revision.sequence} (${revision.id})`,
          `observed ${toUtc(revision.observedAt)}`,
          ...(revision.publishedAt === undefined ? [] : [`published ${toUtc(revision.publishedAt)}`]),
        ]
      : ["newest revision"]),
    ...(knownAt === undefined ? [] : [`as known at revision ${knownAt}`]),
    ...shown.map((id) =>
      citeLayer(
        id,
        revision?.layers.find((frame) => frame.id === id),
      ),
    ),
    ...(soFar ? [`largest ${getProduct(soFar.product).label} since revision ${soFar.first}`] : []),
    ...(comparing ? [`compared with revision ${comparing.before.sequence}`] : []),
  ];
  return `${parts.join(", ")}. ${credits.attribution}. ${credits.disclosure}`.trim();
}

function citeLayer(id: PinnedFrame["id"], pinned: PinnedFrame | undefined): string {
  const { label } = getProduct(id);
  return pinned ? `${label} (SHA-256 ${pinned.frame})` : label;
}

/** Returns `2026-05-20 21:46:10 UTC`. */
function toUtc(instant: string): string {
  const at = new Date(instant).toISOString();
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}
