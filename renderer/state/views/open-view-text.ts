// Opens what a person brings: a link or a file's text. A refused one changes nothing. The settings of the person come
// back when they leave the view.
import type { StormEvent } from "../../../shared/contract/index.ts";
import { isViewError } from "../../../shared/views/view-error.ts";
import { longestViewFile, parseViewFile } from "../../../shared/views/view-file.ts";
import { isViewLink, parseLink } from "../../../shared/views/view-link.ts";
import { toNewestView, type CitableView } from "../../../shared/views/citable-view.ts";
import type { ViewerState } from "../store.ts";
import { captureView } from "./capture-view.ts";
import { openView } from "./open-view.ts";
import type { ViewScreen } from "./view-parts.ts";

/** The settings that a view replaces and that are the person's own. */
const ownSettings = [
  ...([
    "layerPreferences",
    "palette",
    "ownTables",
    "hailUnits",
    "theme",
    "ground",
    "pins",
    "chosenPin",
    "loop",
  ] as const),
] satisfies (keyof ViewerState)[];

/** The screen before a view was opened. */
export interface Left {
  /** Undefined while nothing was on screen. */
  readonly view: CitableView | undefined;
  readonly eventId: string | undefined;
  readonly settings: Partial<ViewerState>;
}

interface Visit {
  readonly abort: AbortController;
  readonly left: Left;
  /** True while the view is being opened or left. */
  isUnderWay: boolean;
}

const visits = new WeakMap<ViewScreen["store"], Visit>();

/** Opens a file that a person chose or dropped. */
export async function openViewFile(screen: ViewScreen, file: Pick<File, "size" | "text">): Promise<void> {
  let text: string;
  try {
    // A file that is too large is not read: its size alone refuses it.
    text = file.size > 4 * longestViewFile ? " ".repeat(longestViewFile + 1) : await file.text();
  } catch {
    const message = "The file could not be read; it may have been moved or deleted.";
    screen.store.getState().tellOpenedView({ phase: "refused", code: "view-invalid", message });
    return;
  }
  await openViewText(screen, text);
}

/** Opens a link or the text of a file, and tells of it on the screen. */
export async function openViewText(screen: ViewScreen, text: string): Promise<void> {
  const { store } = screen;
  let view: CitableView;
  try {
    view = isViewLink(text) ? parseLink(text) : parseViewFile(text);
  } catch (error) {
    if (!isViewError(error)) throw error;
    store.getState().tellOpenedView({ phase: "refused", code: error.code, message: error.message });
    return;
  }
  const earlier = visits.get(store);
  earlier?.abort.abort();
  const left = earlier?.left ?? leave(screen);
  const visit: Visit = { abort: new AbortController(), left, isUnderWay: true };
  visits.set(store, visit);
  store.setState({ isVisiting: true, openedView: { phase: "opening", label: labelOf(view, []) } });
  const differences = await openView(screen, view, visit.abort.signal);
  if (visits.get(store) !== visit) return;
  visit.isUnderWay = false;
  const label = labelOf(view, store.getState().events.list);
  const missing = differences.filter(({ kind }) => kind === "event-missing");
  const isHere = missing.length < view.panes.length;
  store.getState().tellOpenedView({ phase: "shown", label, follow: view.follow, differences, isHere });
  if (isHere || earlier) return;
  // Nothing was changed, so there is nothing to go back to.
  visits.delete(store);
  store.getState().setVisiting(false);
}

/** Returns the labels that the events have here: the view's own may say anything. */
function labelOf({ panes }: CitableView, events: readonly StormEvent[]): string {
  const labels = panes.map(({ event }) => events.find(({ id }) => id === event.id)?.label ?? event.label);
  return [...new Set(labels)].join(" · ");
}

/** Ends what opens or leaves a view, for something else on the screen. The settings of the person come back. */
export function stopOpening({ store }: ViewScreen): void {
  const visit = visits.get(store);
  if (!visit?.isUnderWay) return;
  visit.abort.abort();
  visits.delete(store);
  store.setState({ ...visit.left.settings, isVisiting: false, openedView: undefined });
}

/** Closes the note, and keeps the view as the person's own. */
export function keepView({ store }: ViewScreen): void {
  visits.get(store)?.abort.abort();
  visits.delete(store);
  store.setState({ openedView: undefined, isVisiting: false });
}

/** Returns to what was on screen before the first view was opened. */
export async function leaveView(screen: ViewScreen): Promise<void> {
  const { store } = screen;
  const visit = visits.get(store);
  if (!visit) return;
  visit.abort.abort();
  const leaving: Visit = { abort: new AbortController(), left: visit.left, isUnderWay: true };
  visits.set(store, leaving);
  const { view, eventId, settings } = visit.left;
  store.getState().tellOpenedView(undefined);
  if (view) await openView(screen, view, leaving.abort.signal);
  else showEvent(screen, eventId);
  if (visits.get(store) !== leaving) return;
  visits.delete(store);
  store.setState({ ...settings, isVisiting: false });
}

/** Shows the newest of an event, as at the start of a visit. */
function showEvent({ store, panes }: ViewScreen, eventId: string | undefined): void {
  panes.setCount(1);
  store.getState().backToNow();
  store.getState().pinNewest();
  if (eventId !== undefined) store.getState().chooseEvent(eventId);
}

/** Returns what a later `openView` and the settings bring back. */
export function leave(screen: ViewScreen): Left {
  const state = screen.store.getState();
  const view = captureView(screen);
  const isFollowing = screen.panes.store
    .getState()
    .panes.every(({ store }) => store.getState().playhead.mode === "pinned");
  const settings = Object.fromEntries(ownSettings.map((key) => [key, state[key]]));
  const isNewest = isFollowing && state.knownAt === undefined;
  return {
    view: view && isNewest ? toNewestView(view) : view,
    eventId: state.selectedEventId ?? state.savedEventId,
    settings,
  };
}
