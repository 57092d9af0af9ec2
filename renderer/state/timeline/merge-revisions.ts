// One ascending list of an event's revisions out of the newest ones and older pages. Texts, legends and bounds that
// consecutive revisions repeat are held once: they are most of a layer.
import type { LegendStop, MrmsLayer, ProductId } from "../../../shared/contract/index.ts";
import { indexFrom, type Revision } from "./revisions.ts";

/**
 * Replaces the held revisions from sequence `from` and before `before` by those read, which are all there are. A held
 * revision that was read again stays the same object. Returns `held` itself if nothing changes.
 */
export function mergeRevisions(
  held: readonly Revision[],
  read: readonly Revision[],
  { from, before }: { readonly from: number; readonly before: number },
): readonly Revision[] {
  const start = indexFrom(held, from);
  const end = indexFrom(held, before);
  const known = new Map(held.slice(start, end).map((revision) => [revision.sequence, revision]));
  const merged = read.map((revision) => {
    const earlier = known.get(revision.sequence);
    return earlier && isSame(earlier, revision) ? earlier : revision;
  });
  const isUnchanged =
    merged.length === end - start && merged.every((revision, index) => revision === held[start + index]);
  if (isUnchanged) return held;
  const kept = new Set(known.values());
  return [...held.slice(0, start), ...shareTexts(held, merged, kept), ...held.slice(end)];
}

/** A revision with an id never changes; only a list of the contract knows less of it. */
function isSame(held: Revision, read: Revision): boolean {
  if (held.revisionId === undefined || held.revisionId !== read.revisionId) return false;
  return held.change !== undefined || read.change === undefined;
}

/** Shares the parts of equal content, from those held. Revisions in `kept` share them already. */
function shareTexts(
  held: readonly Revision[],
  read: readonly Revision[],
  kept: ReadonlySet<Revision>,
): Revision[] {
  const last = new Map<ProductId, MrmsLayer>(held.at(-1)?.layers.map((layer) => [layer.id, layer]));
  return read.map((revision) => {
    if (kept.has(revision)) return revision;
    const layers = revision.layers.map((layer) => {
      const shared = shareWith(last.get(layer.id), layer);
      last.set(layer.id, shared);
      return shared;
    });
    return { ...revision, layers };
  });
}

function shareWith(earlier: MrmsLayer | undefined, layer: MrmsLayer): MrmsLayer {
  if (!earlier) return layer;
  return {
    ...layer,
    caveat: shareText(earlier.caveat, layer.caveat),
    description: shareText(earlier.description, layer.description),
    label: shareText(earlier.label, layer.label),
    unit: shareText(earlier.unit, layer.unit),
    bounds: layer.bounds.every((edge, index) => edge === earlier.bounds[index])
      ? earlier.bounds
      : layer.bounds,
    legend: isSameLegend(earlier.legend, layer.legend) ? earlier.legend : layer.legend,
  };
}

function shareText(earlier: string, text: string): string {
  return earlier === text ? earlier : text;
}

function isSameLegend(earlier: readonly LegendStop[], legend: readonly LegendStop[]): boolean {
  return (
    earlier.length === legend.length &&
    legend.every(({ color, label }, index) => {
      const stop = earlier[index]!;
      return stop.color === color && stop.label === label;
    })
  );
}
