// The differences between a view and the events here, as sentences for each pane. Pure.
import type { Bounds } from "../contract/primitives.ts";
import { getProduct } from "../products/registry.ts";
import { observationWindow } from "../revisions/observation-window.ts";
import type { CitableView, PinnedFrame, PinnedRevision, ViewedPane } from "./citable-view.ts";

export const differenceKinds = [
  ...(["event-missing", "revision-missing", "revision-differs"] as const),
  ...(["frame-missing", "frame-differs", "revision-replaced", "swath-differs"] as const),
  ...(["palette-unknown", "table-missing", "ground-unknown", "map-file", "lock-off", "not-drawn"] as const),
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export interface ViewDifference {
  readonly kind: DifferenceKind;
  /** Index of the pane; undefined for the whole screen. */
  readonly pane: number | undefined;
  readonly sentence: string;
  /** The revision that can be shown instead. */
  readonly replacedBy?: number;
}

/** A revision as the list of the service has it. */
export interface RevisionHere {
  readonly sequence: number;
  readonly id: string | undefined;
  readonly observedAt: string;
  readonly layers: readonly LayerHere[];
}

export interface LayerHere {
  readonly id: PinnedFrame["id"];
  /** Undefined if the address of the frame does not say it. */
  readonly frame: string | undefined;
  readonly bounds: Bounds;
}

/** The facts found for one pane. */
export interface PaneHere {
  /** False if no event has its id. */
  readonly hasEvent: boolean;
  /** Every revision held, ascending. */
  readonly revisions: readonly RevisionHere[];
  /** Frames that the service did not give, by their id. */
  readonly failedFrames: ReadonlySet<string>;
  /** Frames that are not in the picture, because the service did not answer. */
  readonly unreadFrames: ReadonlySet<string>;
  /** Frames whose bytes do not have the hash that names them. */
  readonly damagedFrames: ReadonlySet<string>;
  /** Frames that the largest values so far are made of; undefined while there are none. */
  readonly swathFrames: number | undefined;
  /** False if the picture was not on screen in time. */
  readonly isDrawn: boolean;
}

export interface ScreenHere {
  readonly panes: readonly PaneHere[];
  readonly palettes: readonly string[];
  readonly groundParts: readonly string[];
  /** True if a map file of the person lies under the storm. */
  readonly hasOwnMap: boolean;
  /** The pane that the lock would move off its revision, so that it is off. */
  readonly unlocked: { readonly pane: number; readonly to: number } | undefined;
}

/** Returns nothing if the screen shows the view as it was. */
export function describeDifferences(view: CitableView, here: ScreenHere): readonly ViewDifference[] {
  const ofPanes = view.panes.flatMap((pane, index) =>
    describePane(pane, here.panes[index]!).map((difference) => ({
      ...difference,
      pane: index,
      sentence:
        view.panes.length === 1 ? difference.sentence : `Pane ${"ABCD"[index]}: ${difference.sentence}`,
    })),
  );
  return [...ofPanes, ...describeScreen(view, here)];
}

type Found = Omit<ViewDifference, "pane">;

function describePane(pane: ViewedPane, here: PaneHere): Found[] {
  const { event, revision, comparing } = pane;
  if (!here.hasEvent) {
    return [{ kind: "event-missing", sentence: `The event “${event.label}” (${event.id}) is not here.` }];
  }
  if (!revision) return here.isDrawn ? [] : [notDrawn];
  const found = [
    ...describeRevision(revision, here, pane.knownAt ?? Infinity),
    ...(comparing ? describeRevision(comparing.before, here, 0) : []),
    ...describeSwath(pane, here),
  ];
  return found.length === 0 && !here.isDrawn ? [notDrawn] : found;
}

const notDrawn: Found = { kind: "not-drawn", sentence: "The picture could not be drawn in time." };

/** A replacement after `upTo` is not told of: the view looked at what was known before it. */
function describeRevision(pinned: PinnedRevision, here: PaneHere, upTo: number): Found[] {
  const { sequence } = pinned;
  const held = here.revisions.find((revision) => revision.sequence === sequence);
  const newest = findReplacement(pinned, here.revisions);
  if (!held) {
    return [withReplacement("revision-missing", `Revision ${sequence} ${toMissing(pinned, here)}`, newest)];
  }
  const found: Found[] = [];
  if (pinned.id !== undefined && held.id !== undefined && held.id !== pinned.id) {
    found.push({
      kind: "revision-differs",
      sentence: `Revision ${sequence} is another one here: ${held.id} instead of ${pinned.id}.`,
    });
  }
  found.push(...pinned.layers.flatMap((frame) => describeFrame(frame, held, here, newest)));
  // Without any pinned frame, the service's addresses did not say their hashes.
  const added = held.layers.filter(
    ({ id }) => pinned.layers.length > 0 && !pinned.layers.some((layer) => layer.id === id),
  );
  for (const { id } of added) {
    const sentence = `Revision ${sequence} has a ${nameOf(id)} frame here that the view lacks.`;
    found.push({ kind: "frame-differs", sentence });
  }
  if (found.length === 0 && newest !== undefined && newest <= upTo) {
    found.push({
      kind: "revision-replaced",
      sentence: `Revision ${newest} has replaced revision ${sequence} since; this is revision ${sequence}, as it was.`,
      replacedBy: newest,
    });
  }
  return found;
}

/** Returns the newest later revision of the same observation window. */
function findReplacement(pinned: PinnedRevision, revisions: readonly RevisionHere[]): number | undefined {
  const window = observationWindow(pinned.observedAt);
  const newest = revisions.findLast(({ observedAt }) => observationWindow(observedAt) === window);
  return newest && newest.sequence > pinned.sequence ? newest.sequence : undefined;
}

/** Numbers are never used again, so one that is missing between others was published and taken away. */
function toMissing({ sequence }: PinnedRevision, { revisions }: PaneHere): string {
  const first = revisions[0]?.sequence;
  const last = revisions.at(-1)?.sequence;
  if (first === undefined || last === undefined) return "is missing: the event has no revisions here";
  if (sequence > last) return `is missing: the newest one here is revision ${last}`;
  if (sequence < first) return `is missing: the oldest one here is revision ${first}`;
  return "is missing: it was withdrawn";
}

function withReplacement(kind: DifferenceKind, sentence: string, newest: number | undefined): Found {
  if (newest === undefined) return { kind, sentence: `${sentence}.` };
  return { kind, sentence: `${sentence}; revision ${newest} has replaced it.`, replacedBy: newest };
}

function describeFrame(
  pinned: PinnedFrame,
  { sequence, layers }: RevisionHere,
  here: PaneHere,
  newest: number | undefined,
): Found[] {
  const held = layers.find(({ id }) => id === pinned.id);
  const what = `${nameOf(pinned.id)} frame of revision ${sequence}`;
  if (!held || here.failedFrames.has(held.frame ?? "")) {
    return [withReplacement("frame-missing", `The ${what} is missing`, newest)];
  }
  if (held.frame !== undefined && held.frame !== pinned.frame) {
    const hashes = `${held.frame.slice(0, 12)} instead of ${pinned.frame.slice(0, 12)}`;
    return [{ kind: "frame-differs", sentence: `The ${what} is another one: its hash begins ${hashes}.` }];
  }
  if (held.frame !== undefined && here.damagedFrames.has(held.frame)) {
    return [{ kind: "frame-differs", sentence: `The ${what} is damaged: its bytes do not have their hash.` }];
  }
  if (held.frame !== undefined && here.unreadFrames.has(held.frame)) {
    return [{ kind: "frame-missing", sentence: `The ${what} could not be read; open the view again later.` }];
  }
  if (held.bounds.some((edge, index) => edge !== pinned.bounds[index])) {
    return [{ kind: "frame-differs", sentence: `The ${what} lies elsewhere here than in the view.` }];
  }
  return [];
}

function nameOf(id: PinnedFrame["id"]): string {
  return getProduct(id).label;
}

function describeSwath(
  { soFar, latest, knownAt }: ViewedPane,
  { swathFrames, revisions }: PaneHere,
): Found[] {
  if (!soFar) return [];
  const found: Found[] = [];
  if (swathFrames !== soFar.frames) {
    found.push({
      kind: "swath-differs",
      sentence: `The largest values so far are made of ${swathFrames ?? 0} frames here instead of ${soFar.frames}.`,
    });
  }
  const newer = revisions.filter(({ sequence }) => sequence > (latest ?? Infinity)).length;
  if (newer > 0 && knownAt === undefined) {
    const known = `as known at revision ${latest}`;
    found.push({
      kind: "swath-differs",
      sentence: `The largest values so far are those of the view, ${known}; ${toCount(newer)} newer.`,
    });
  }
  return found;
}

function toCount(revisions: number): string {
  return revisions === 1 ? "1 revision is" : `${revisions} revisions are`;
}

function describeScreen(view: CitableView, here: ScreenHere): ViewDifference[] {
  const found: Found[] = [];
  if (!here.palettes.includes(view.palette)) {
    found.push({
      kind: "palette-unknown",
      sentence: `The palette “${view.palette}” is unknown here; the colors differ.`,
    });
  }
  for (const { name, product, segments } of view.tables ?? []) {
    if (segments) continue;
    found.push({
      kind: "table-missing",
      sentence: `The color table “${name}” is too large for the view: ${getProduct(product).label} has the palette's colors.`,
    });
  }
  const unknown = view.ground.filter((part) => !here.groundParts.includes(part));
  if (unknown.length > 0) {
    found.push({ kind: "ground-unknown", sentence: `The map cannot show: ${unknown.join(", ")}.` });
  }
  if (view.ownMap)
    found.push({ kind: "map-file", sentence: "The map file under the storm is not part of the view." });
  else if (here.hasOwnMap)
    found.push({ kind: "map-file", sentence: "Your own map file is under the storm." });
  if (here.unlocked) {
    const { pane, to } = here.unlocked;
    found.push({
      kind: "lock-off",
      sentence: `The lock of the panes is off: it would move pane ${"ABCD"[pane]} to revision ${to}.`,
    });
  }
  return found.map((difference) => ({ ...difference, pane: undefined }));
}
