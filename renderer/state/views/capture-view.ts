// The view on screen as a citable view: what a link, a file or a step of a briefing holds.
import { productIds, type StormEvent } from "../../../shared/contract/index.ts";
import type { OwnTables } from "../../../shared/products/color-tables/layer-colors.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import {
  longestViewLabel,
  mostTableSegments,
  type CitableView,
  type PinnedRevision,
  type ViewedPane,
  type ViewedTable,
  ViewLabel,
} from "../../../shared/views/citable-view.ts";
import type { PaneCredits } from "../../../shared/views/citation.ts";
import { groundParts } from "../../basemap/ground-parts.ts";
import { selectChangePair } from "../change/change-pair.ts";
import type { Pane } from "../panes/pane-store.ts";
import {
  knownLayersOf,
  selectSelectedEvent,
  selectShownRevision,
  selectWantedRevision,
  toLayerViews,
} from "../selectors.ts";
import { selectSoFar } from "../so-far/so-far.ts";
import type { ViewerState } from "../store.ts";
import { loopOrder } from "../timeline/loop.ts";
import { toRestingList } from "../timeline/playhead.ts";
import type { Revision } from "../timeline/revisions.ts";
import { toPinnedFrames, type ViewScreen } from "./view-parts.ts";

/** Returns undefined while a pane has nothing to show. The view is pinned to the revisions on screen. */
export function captureView({ store, panes }: ViewScreen): CitableView | undefined {
  const { panes: all, active, lock } = panes.store.getState();
  const captured = all.flatMap(({ store: pane }) => capturePane(pane.getState()) ?? []);
  if (captured.length < all.length) return undefined;
  const { palette, ownTables, hailUnits, theme, ground, userMap, pins, chosenPin } = store.getState();
  const tables = captureTables(ownTables);
  return {
    format: "echotop-view",
    version: 1,
    follow: "pinned",
    panes: captured,
    active: Math.max(
      0,
      all.findIndex(({ letter }) => letter === active),
    ),
    ...{ lock, palette, hailUnits, theme },
    ...(tables.length > 0 && { tables }),
    ground: groundParts.filter((part) => ground[part]),
    ownMap: userMap !== undefined,
    pins: pins.map(({ label, coordinate: [longitude, latitude] }) => ({
      label: toShort(label),
      coordinate: [longitude, latitude],
    })),
    chosenPin,
  };
}

function captureTables(tables: OwnTables): ViewedTable[] {
  return productIds.flatMap((id) => {
    const table = tables[id];
    if (!table) return [];
    const { product, name, segments } = table;
    return [{ product, name, ...(segments.length <= mostTableSegments && { segments: [...segments] }) }];
  });
}

/** Returns what the service says of the data of each pane. */
export function captureCredits(panes: readonly Pane[]): PaneCredits[] {
  return panes.map(({ store }) => {
    const { attribution, disclosure } = store.getState().history;
    return { attribution, disclosure };
  });
}

function capturePane(state: ViewerState): ViewedPane | undefined {
  const event = selectSelectedEvent(state);
  const revision = selectKnownRevision(state);
  if (!event || !revision) return undefined;
  const { history, knownAt, view } = state;
  const soFar = captureSoFar(state);
  const comparing = captureComparing(state, revision);
  return {
    event: toViewedEvent(event),
    revision: toPinned(state, revision),
    latest: Math.max(history.latestSequence ?? 0, history.all.at(-1)?.sequence ?? 0, revision.sequence),
    ...(knownAt !== undefined && { knownAt }),
    layers: toLayerViews(knownLayersOf(history.revisions), revision, state.layerPreferences).map(
      ({ layer: { id }, visible, opacity, showFrom }) => ({
        ...{ id, visible, opacity },
        ...(showFrom !== undefined && { showFrom }),
      }),
    ),
    ...(view && { camera: { center: [...view.center], zoom: view.zoom } }),
    ...(soFar && { soFar }),
    ...(comparing && { comparing }),
  };
}

/** Just after looking back, a picture of later may still be on screen. */
function selectKnownRevision(state: ViewerState): Revision | undefined {
  const shown = selectShownRevision(state);
  return shown && shown.sequence <= (state.knownAt ?? Infinity) ? shown : selectWantedRevision(state);
}

function toViewedEvent(event: StormEvent): ViewedPane["event"] {
  // Another program's service may give its events any label.
  const label = ViewLabel.safeParse(toShort(event.label)).data ?? event.id;
  return { id: event.id, label, nature: natureOf(event) };
}

function toShort(label: string): string {
  return label.length <= longestViewLabel
    ? label
    : Array.from(label)
        .slice(0, longestViewLabel / 2)
        .join("");
}

function toPinned({ publishedAt }: ViewerState, revision: Revision): PinnedRevision {
  const { sequence, revisionId: id, observedAt, layers } = revision;
  const published = id === undefined ? undefined : publishedAt[id];
  return {
    sequence,
    ...(id !== undefined && { id }),
    observedAt,
    ...(typeof published === "object" && { publishedAt: published.at }),
    layers: toPinnedFrames(layers),
  };
}

function captureSoFar(state: ViewerState): ViewedPane["soFar"] {
  const soFar = selectSoFar(state);
  const first = loopOrder(toRestingList(state), state.loop, "observed")[0];
  if (!soFar || first === undefined) return undefined;
  return { product: soFar.product, opacity: state.soFarOpacity, first, frames: soFar.frames.length };
}

function captureComparing(state: ViewerState, revision: Revision): ViewedPane["comparing"] {
  const pair = state.isComparing ? selectChangePair(state) : undefined;
  if (pair?.after !== revision) return undefined;
  const { id } = pair.shown;
  return {
    before: toPinned(state, pair.before),
    layer: id,
    ...{ side: state.comparedSide, swipeAt: state.swipeAt, threshold: state.changeThresholds[id] ?? 0 },
  };
}
