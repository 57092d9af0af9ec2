// Keeps the projector's picture as it was at a sequence: nothing published later is known to any pane until the person
// unfreezes it. Counts what waits meanwhile.
import { knownAt as toKnown } from "../../../shared/revisions/known-at.ts";
import type { PanesStore } from "../panes/pane-store.ts";
import { publicationsOf, indexFrom, type Revision } from "../timeline/revisions.ts";
import { selectShownRevision } from "../selectors.ts";
import type { ViewerState, ViewerStore } from "../store.ts";
import type { Frozen } from "./show.ts";

/** The part of a viewer's state that says what is frozen and what waits. */
type History = Pick<ViewerState, "selectedEventId" | "history">;

/**
 * Returns the sequences at which the events of these panes are frozen: those of `earlier` stay, and an event seen for
 * the first time is frozen at the newest that it has, or at the one as of which the person looks.
 */
export function freezeAt(
  states: readonly (History & Pick<ViewerState, "knownAt">)[],
  earlier: Frozen,
): NonNullable<Frozen> {
  const seen = states.flatMap(({ selectedEventId, history, knownAt }) => {
    const newest = history.all.at(-1);
    return selectedEventId === undefined || !newest
      ? []
      : [[selectedEventId, knownAt ?? newest.sequence] as const];
  });
  return { ...Object.fromEntries(seen), ...earlier };
}

/** Hides from one pane what was published after its event was frozen. */
function hideLater(store: ViewerStore, frozen: NonNullable<Frozen>): void {
  const { selectedEventId, knownAt } = store.getState();
  const limit = selectedEventId === undefined ? undefined : frozen[selectedEventId];
  if (limit === undefined || (knownAt !== undefined && knownAt <= limit)) return;
  store.setState(({ history }) => ({
    knownAt: limit,
    history: { ...history, revisions: toKnown(history.all, limit) },
  }));
}

/**
 * Keeps all panes frozen until the returned function is called; panes and events that open meanwhile are frozen as they
 * are read. `extend` learns of the latter.
 */
export function keepFrozen(
  panes: PanesStore,
  find: () => Frozen,
  extend: (frozen: NonNullable<Frozen>) => void,
): () => void {
  const stops = new Map<ViewerStore, () => void>();
  const apply = (): void => {
    const earlier = find();
    if (!earlier) return;
    const stores = panes.getState().panes.map(({ store }) => store);
    const frozen = freezeAt(
      stores.map((store) => store.getState()),
      earlier,
    );
    if (Object.keys(frozen).length > Object.keys(earlier).length) extend(frozen);
    for (const store of stores) hideLater(store, frozen);
  };
  const follow = (): void => {
    for (const { store } of panes.getState().panes) {
      if (!stops.has(store)) stops.set(store, store.subscribe(apply));
    }
    apply();
  };
  follow();
  const stop = panes.subscribe(follow);
  return () => {
    stop();
    for (const stopPane of stops.values()) stopPane();
  };
}

/** Shows everything that is known now, and the newest window, in all panes. */
export function jumpToNewest(panes: PanesStore): void {
  for (const { store } of panes.getState().panes) {
    store.getState().backToNow();
    store.getState().pinNewest();
  }
}

/** Returns the revisions published after the event was frozen, in the order of publication. */
export function findWaiting({ selectedEventId, history }: History, frozen: Frozen): readonly Revision[] {
  const limit = frozen?.[selectedEventId ?? ""];
  return limit === undefined ? [] : history.all.slice(indexFrom(history.all, limit + 1));
}

/** Returns what the revision on screen is to the ones before it. */
export function findPublication(state: ViewerState):
  | {
      readonly revision: Revision;
      readonly kind: ReturnType<typeof publicationsOf>[number]["kind"];
      readonly supersedes: Revision | undefined;
    }
  | undefined {
  const revision = selectShownRevision(state);
  if (!revision) return undefined;
  const { all } = state.history;
  const { kind, supersedes } = publicationsOf(all)[indexFrom(all, revision.sequence)]!;
  return { revision, kind, supersedes: supersedes === undefined ? undefined : all[supersedes] };
}
