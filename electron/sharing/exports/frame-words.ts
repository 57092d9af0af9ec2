// The words on the sheets of an export, and in its files.
import { getProduct } from "../../../shared/products/registry.ts";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { PaletteId } from "../../../shared/products/palettes.ts";
import { natureNotes, natureOf, type EventNature } from "../../../shared/revisions/event-origin.ts";
import type { LoopGap } from "../../../shared/revisions/loop-frames.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { toDay, toDelay, toTime } from "../briefings/briefing-words.ts";
import { toLegend } from "../stills/still-legend.ts";
import type { NoteTone, SheetFact, SheetFoot, SheetHead, SheetNote } from "../stills/sheet/sheet-words.ts";
import type { ExportedFrame, ExportedRevision, ExportPlan } from "./read-frames.ts";

const natureTones: Readonly<Record<EventNature, NoteTone>> = {
  ...{ live: "plain", benchmark: "plain", synthetic: "synthetic" },
  ...{ replay: "replay", "synthetic-replay": "replay" },
};

const dayMs = 86_400_000;
const groundCredits = "Lines: U.S. Census, Natural Earth · Places: GeoNames (CC BY 4.0)";

export function toHead(frame: ExportedFrame, plan: ExportPlan): SheetHead {
  const { event } = plan;
  const nature = natureOf(event);
  const natureNote = natureNotes[nature];
  const mark: SheetNote[] = natureNote === undefined ? [] : [{ text: natureNote, tone: natureTones[nature] }];
  const title = event.label;
  if ("gap" in frame) {
    const span = toSpan(frame.gap);
    const facts = [
      { caption: "Observed", value: span.words, detail: span.day },
      { caption: toPublishedWord(plan), value: "nothing" },
      { caption: "Revision", value: "none" },
    ];
    return { title, facts, notes: mark, message: `Nothing was published for ${span.words}` };
  }
  const { revision } = frame;
  return {
    title,
    facts: toFacts(revision, plan),
    notes: [...mark, ...toNotes(revision)],
    message: revision.layers.length === 0 ? "Not delivered for this time" : undefined,
  };
}

function toSpan({ fromMs, toMs }: LoopGap): { readonly words: string; readonly day: string } {
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
  return { words: `${from!.slice(11, 16)} to ${to!.slice(11, 16)} UTC`, day: toDay(from!) };
}

/** Returns the viewer's word for the time of publication: a past event was added long after it happened. */
export function toPublishedWord({ event }: Pick<ExportPlan, "event">): "Published" | "Added here" {
  return event.status === "active" && natureOf(event) === "live" ? "Published" : "Added here";
}

/** Returns the delay since the observation, or the day if that is a day or more, as in the viewer. */
function toPublishedDetail(observedAt: string, publishedAt: string): string {
  const isSoon = Date.parse(publishedAt) - Date.parse(observedAt) < dayMs;
  return isSoon ? `+${toDelay(observedAt, publishedAt)}` : toDay(publishedAt);
}

function toFacts(revision: ExportedRevision, plan: ExportPlan): SheetFact[] {
  const { observedAt, publishedAt, sequence, supersededBy } = revision;
  const { latestSequence } = plan.event;
  const standing =
    supersededBy !== undefined ? "replaced later" : sequence === latestSequence ? "newest" : undefined;
  return [
    { caption: "Observed", value: toTime(observedAt), detail: toDay(observedAt) },
    {
      caption: toPublishedWord(plan),
      value: toTime(publishedAt),
      detail: toPublishedDetail(observedAt, publishedAt),
    },
    {
      caption: "Revision",
      value: `${sequence} of ${latestSequence}`,
      detail: standing,
      isWarning: supersededBy !== undefined,
    },
  ];
}

function toNotes({
  kind,
  supersedes,
  supersededBy,
  lacking,
  layers,
  observedAt,
}: ExportedRevision): SheetNote[] {
  const of = supersedes === undefined ? "" : ` of revision ${supersedes}`;
  const kinds: Readonly<Record<typeof kind, SheetNote | undefined>> = {
    new: undefined,
    correction: { text: `Correction${of}`, tone: "warning" },
    completion: { text: `Layer added after revision ${supersedes}`, tone: "plain" },
    backfill: { text: "Late arrival: fills in an older time", tone: "warning" },
    unknown: { text: "Late arrival: published after newer times", tone: "warning" },
  };
  const replaced: SheetNote | undefined =
    supersededBy === undefined
      ? undefined
      : { text: `Replaced by revision ${supersededBy}`, tone: "warning" };
  const older = layers
    .filter(({ layer }) => observationWindow(layer.observedAt) !== observationWindow(observedAt))
    .map(({ layer }): SheetNote => ({
      text: `${layer.label}: observed ${toTime(layer.observedAt)}`,
      tone: "warning",
    }));
  const missing = lacking.map((id): SheetNote => ({
    text: `${getProduct(id).label}: not delivered`,
    tone: "bad",
  }));
  return [kinds[kind], replaced, ...older, ...missing].filter((note) => note !== undefined);
}

/**
 * Returns the lower edge from which a layer is drawn over another one, as in the viewer. The same for all frames, as
 * the legend is.
 */
export function findShowFrom(id: ProductId, { layers }: ExportPlan): number | undefined {
  const isOverAnother = layers.length > 1 && layers[0]!.layer.id !== id;
  return isOverAnother ? getProduct(id).overlayFrom : undefined;
}

export function toFoot(plan: ExportPlan, palette: PaletteId): SheetFoot {
  const nature = natureOf(plan.event);
  const unique = (texts: readonly string[]): string => [...new Set(texts)].join(" · ");
  const attribution = unique(plan.revisions.map((revision) => revision.attribution));
  return {
    legends: plan.layers.map(({ layer }) => ({
      label: layer.label,
      legend: toLegend(layer, getProduct(layer.id), palette),
      showFrom: findShowFrom(layer.id, plan),
    })),
    disclosure: toDisclosure(unique(plan.revisions.map((revision) => revision.disclosure))),
    shortDisclosure: shortDisclosures[nature],
    credits: `${attribution} · ${groundCredits}`,
  };
}

/** Another service's disclosure may not say it. */
function toDisclosure(text: string): string {
  return /not a warning source/i.test(text) ? text : `${text} Not a warning source.`;
}

const observed = "Radar estimates, not reports. Not a warning source.";
const shortDisclosures: Readonly<Record<EventNature, string>> = {
  ...{ live: observed, benchmark: observed },
  synthetic: "Synthetic data. Not a warning source.",
  replay: `Replay. ${observed}`,
  "synthetic-replay": "Replay of synthetic data. Not a warning source.",
};
