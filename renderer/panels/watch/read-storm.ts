// "Read the storm": finds the highest class in view of the picture on screen, says it, and keeps the words for the
// screen.
import { isAppError } from "../../../shared/app-error.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import type { Coordinate, MrmsLayer, ProductId } from "../../../shared/contract/index.ts";
import { findNearestPlace } from "../../../shared/geo/nearest-place.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { speak } from "../../platform/page-voice.ts";
import {
  isLiveEvent,
  selectIsPast,
  selectSelectedEvent,
  selectShownRevision,
} from "../../state/selectors.ts";
import type { ViewerState } from "../../state/store.ts";
import { timeWithZone } from "../../text/format.ts";
import { readingWords, spokenPlace, type ReadLayer } from "../../text/watch-text.ts";
import type { Viewer } from "../../viewer-context.ts";
import { readNamedPlacesOnce } from "../hooks/named-places.ts";

/** Names of small towns say nothing from afar. */
const townZoom = 8;

/** Hail first. */
const readOrder: readonly ProductId[] = ["mrms-mesh", "mrms-reflectivity"];

export async function describePlace(
  coordinate: Coordinate,
  { lengthUnit }: Pick<ViewerState, "lengthUnit">,
): Promise<string | undefined> {
  const nearest = findNearestPlace(await readNamedPlacesOnce(), coordinate, {
    isCandidate: ({ zoom }) => zoom <= townZoom,
  });
  return nearest && spokenPlace(nearest, lengthUnit);
}

/** Says what is in view; `main` keeps the words. */
export async function readStorm(main: Viewer, { store, analysis }: Viewer): Promise<void> {
  const state = store.getState();
  const revision = selectShownRevision(state);
  const event = selectSelectedEvent(state);
  let words = "Nothing is published yet";
  if (revision && event) {
    const layers = await Promise.all(
      readOrder.flatMap((id) => {
        const layer = revision.layers.find((candidate) => candidate.id === id);
        return layer ? [readLayer(layer, state, analysis)] : [];
      }),
    );
    words = readingWords({
      nature: natureOf(event),
      layers: layers.filter((layer) => layer !== undefined),
      observedMs: revision.observedMs,
      nowMs: state.nowMs,
      isNewest: !selectIsPast(state),
      isLive: isLiveEvent(event),
      knownAt: knownAtWords(state),
      hailUnits: state.hailUnits,
    });
  }
  main.store.getState().setStormReading(words);
  speak(words);
}

async function readLayer(
  { id, imageUrl, bounds }: MrmsLayer,
  state: ViewerState,
  analysis: Viewer["analysis"],
): Promise<ReadLayer | undefined> {
  try {
    const { areas, isCovered } = await analysis.findAreas(
      {
        frame: { imageUrl, bounds },
        lower: getProduct(id).stops[0]!.from,
        ground: { within: state.view?.bounds },
      },
      new AbortController().signal,
    );
    const [highest] = areas;
    if (!highest) return { layer: id, highest: undefined, isCovered };
    const place = await describePlace(highest.peak, state);
    return { layer: id, highest: { range: highest.range, place }, isCovered };
  } catch (error) {
    if (isAppError(error)) return undefined;
    throw error;
  }
}

function knownAtWords({ knownAt, history, publishedAt }: ViewerState): string | undefined {
  if (knownAt === undefined) return undefined;
  const id = history.all.find(({ sequence }) => sequence === knownAt)?.revisionId;
  const published = id === undefined ? undefined : publishedAt[id];
  return typeof published === "object" ? timeWithZone(Date.parse(published.at)) : `revision ${knownAt}`;
}
