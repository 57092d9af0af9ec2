// Opens a citable view: panes, settings of the screen, and each pane's picture. It reads what the viewer reads anyway,
// starts nothing and writes nothing; an event that is not here is only told.
import { paletteIds } from "../../../shared/products/palettes.ts";
import { toOwnTables, type CitableView, type ViewedPane } from "../../../shared/views/citable-view.ts";
import {
  describeDifferences,
  type PaneHere,
  type ScreenHere,
  type ViewDifference,
} from "../../../shared/views/view-differences.ts";
import { defaultGround, groundParts } from "../../basemap/ground-parts.ts";
import { checkFrame, type FrameCheck } from "../../frames/frame-check.ts";
import { onNextFrame } from "../../platform/page-effects.ts";
import { findForPane } from "../panes/lock-follower.ts";
import { selectVisiblePanes, type Pane, type PaneCount } from "../panes/pane-store.ts";
import { selectWantedRevision } from "../selectors.ts";
import { selectSoFar } from "../so-far/so-far.ts";
import type { ViewerState } from "../store.ts";
import { findRevision } from "../timeline/revisions.ts";
import { isHistoryRead, isPaneDrawn, showPane } from "./show-pane.ts";
import { toFrameId, toRevisionsHere, type ViewScreen } from "./view-parts.ts";
import { waitUntil } from "./wait-until.ts";

/** After this time, in milliseconds, a view is shown as far as it came. */
const patienceMs = 30_000;

/** The opening that a screen is in: the next one ends it, because two would mix their panes. */
const openings = new WeakMap<ViewScreen["store"], AbortController>();

/**
 * Resolves when the picture asked for is drawn, to what differs. Changes nothing if none of the events is here. An
 * aborted one, or one that another follows, leaves the screen as far as it came.
 */
export async function openView(
  screen: ViewScreen,
  view: CitableView,
  abort: AbortSignal = new AbortController().signal,
): Promise<readonly ViewDifference[]> {
  openings.get(screen.store)?.abort();
  const own = new AbortController();
  openings.set(screen.store, own);
  const signal = AbortSignal.any([abort, own.signal, AbortSignal.timeout(patienceMs)]);
  const isAborted = (): boolean => abort.aborted || own.signal.aborted;
  await waitUntil(screen.store, ({ events }) => events.phase !== "loading", signal);
  const isHere = view.panes.map((pane) => hasEvent(screen.store.getState(), pane));
  if (!isHere.includes(true)) {
    return describeDifferences(
      view,
      toScreenHere(
        screen,
        isHere.map(() => emptyPane),
      ),
    );
  }
  const panes = await arrangePanes(screen, view, signal);
  if (isAborted()) return [];
  showSettings(screen, view);
  await Promise.all(
    view.panes.map(async (viewed, index) => {
      const { store } = panes[index]!;
      if (!isHere[index]) return;
      store.getState().chooseEvent(viewed.event.id);
      await waitUntil(store, (state) => isHistoryRead(state, viewed), signal);
    }),
  );
  if (isAborted()) return [];
  // The leading pane first: the others may follow its map.
  for (const index of [view.active, ...panes.keys()]) {
    if (isHere[index]) showPane(panes[index]!.store, view.panes[index]!);
  }
  const unlocked = lockPanes(screen, view, panes);
  const visible = selectVisiblePanes(screen.panes.store.getState());
  const drawn = await Promise.all(
    panes.map(async (pane, index) => {
      const isShown = isHere[index] && visible.includes(pane);
      return isShown ? await waitUntil(pane.store, isPaneDrawn, signal) : true;
    }),
  );
  if (isAborted()) return [];
  const found = await Promise.all(
    panes.map((pane, index) => lookAt(pane, view.panes[index]!, drawn[index]!, signal)),
  );
  return describeDifferences(view, { ...toScreenHere(screen, found), unlocked });
}

function hasEvent({ events }: ViewerState, { event }: ViewedPane): boolean {
  return events.list.some(({ id }) => id === event.id);
}

/** Opens as many panes as the view has, each by itself, and waits for their maps to have their sizes. */
async function arrangePanes(
  { panes: session }: ViewScreen,
  { panes, active }: CitableView,
  signal: AbortSignal,
): Promise<readonly Pane[]> {
  const isSame = session.store.getState().count === panes.length;
  const cameras = panes.flatMap(({ camera }) => camera ?? []);
  session.store.setState(({ sameZoom, samePlace }) => ({
    lock: "off",
    sameZoom: sameZoom && new Set(cameras.map(({ zoom }) => zoom)).size <= 1,
    samePlace: samePlace && new Set(cameras.map(({ center }) => center.join())).size <= 1,
  }));
  session.setCount(panes.length as PaneCount);
  const opened = session.store.getState().panes;
  session.activate(opened[active]!.letter);
  if (!isSame) {
    // Maps keep their middle when they get another size, which they have after a repaint.
    await nextFrame(signal);
    await nextFrame(signal);
  }
  await Promise.all(
    selectVisiblePanes(session.store.getState()).map(({ store }) =>
      waitUntil(store, ({ view }) => view !== undefined, signal),
    ),
  );
  return opened;
}

function nextFrame(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = onNextFrame(() => {
      resolve();
    });
    signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}

function showSettings({ store }: ViewScreen, view: CitableView): void {
  const palette = paletteIds.find((id) => id === view.palette);
  const { hailUnits, theme, pins, chosenPin } = view;
  const ground = { ...defaultGround };
  for (const part of groundParts) ground[part] = view.ground.includes(part);
  store.setState({
    ...(palette && { palette }),
    ownTables: toOwnTables(view),
    hailUnits,
    theme,
    ground,
    pins,
    chosenPin,
  });
}

/** Locks the panes as they were, unless that would move one off its revision. */
function lockPanes(
  { panes: session }: ViewScreen,
  { lock, follow }: CitableView,
  panes: readonly Pane[],
): ScreenHere["unlocked"] {
  if (lock === "off" || panes.length === 1) {
    session.store.setState({ lock });
    return undefined;
  }
  const state = { ...session.store.getState(), lock };
  const lead = panes.find(({ letter }) => letter === state.active) ?? panes[0]!;
  const leading = selectWantedRevision(lead.store.getState());
  const moved = panes.flatMap((pane, index) => {
    const next = leading && findForPane(state, pane, leading);
    const wanted = selectWantedRevision(pane.store.getState());
    return next?.kind === "shown" && next.revision !== wanted
      ? [{ pane: index, to: next.revision.sequence }]
      : [];
  });
  const unlocked = follow === "pinned" ? moved[0] : undefined;
  if (!unlocked) session.store.setState({ lock });
  return unlocked;
}

const emptyPane: PaneHere = {
  ...{ hasEvent: false, revisions: [], swathFrames: undefined, isDrawn: true },
  ...{ failedFrames: new Set<string>(), unreadFrames: new Set<string>(), damagedFrames: new Set<string>() },
};

/** Reads the frames of the view once more, from the page's cache where it has them, and compares their hashes. */
async function lookAt(
  { store }: Pane,
  viewed: ViewedPane,
  isDrawn: boolean,
  signal: AbortSignal,
): Promise<PaneHere> {
  const state = store.getState();
  if (!hasEvent(state, viewed)) return emptyPane;
  const { all } = state.history;
  const asked = [viewed.revision, viewed.comparing?.before].flatMap((pinned) => pinned ?? []);
  const addresses = asked.flatMap(
    ({ sequence }) => findRevision(all, sequence)?.layers.map(({ imageUrl }) => imageUrl) ?? [],
  );
  const checks = await Promise.all(
    addresses.map(async (imageUrl): Promise<readonly [string, FrameCheck | "undrawn"]> => {
      const frame = toFrameId(imageUrl) ?? "";
      const check = signal.aborted
        ? "unread"
        : await checkFrame(imageUrl, frame, signal).catch(() => "unread" as const);
      const isDrawable = state.picture.frames[imageUrl]?.status !== "failed";
      return [frame, check === "unread" && !isDrawable ? "undrawn" : check];
    }),
  );
  const thoseThatAre = (wanted: FrameCheck | "undrawn"): ReadonlySet<string> =>
    new Set(checks.filter(([, check]) => check === wanted).map(([frame]) => frame));
  return {
    hasEvent: true,
    revisions: toRevisionsHere(all),
    failedFrames: thoseThatAre("missing"),
    unreadFrames: thoseThatAre("undrawn"),
    damagedFrames: thoseThatAre("damaged"),
    swathFrames: selectSoFar(state)?.frames.length,
    isDrawn,
  };
}

function toScreenHere({ store }: ViewScreen, panes: readonly PaneHere[]): ScreenHere {
  const hasOwnMap = store.getState().userMap !== undefined;
  return { panes, palettes: paletteIds, groundParts, hasOwnMap, unlocked: undefined };
}
