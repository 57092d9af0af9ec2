// The panes of the last visit: how many, by what they are locked, and the event and layers of each beside pane A.
import * as z from "zod";
import type { StoredValue } from "../../platform/stored-value.ts";
import { LayerPreferences } from "../saved-view.ts";
import type { ViewerStore } from "../store.ts";
import { locks } from "./lock.ts";
import type { PaneSession } from "./pane-session.ts";
import { paneCounts } from "./pane-store.ts";

export const SavedPanes = z.object({
  count: z.literal(paneCounts),
  lock: z.enum(locks),
  others: z.array(z.object({ eventId: z.string().optional(), layers: LayerPreferences })).max(3),
});
export type SavedPanes = z.infer<typeof SavedPanes>;

export const savedPanesKey = "echotop.panes";

function toSavedPanes({ store }: PaneSession): SavedPanes {
  const { count, lock, panes } = store.getState();
  const others = panes.slice(1).map((pane) => {
    const { selectedEventId, layerPreferences } = pane.store.getState();
    return { eventId: selectedEventId, layers: layerPreferences };
  });
  return { count, lock, others };
}

/** Opens the panes of the last visit once the list of events is there; then saves them after each change. */
export function keepPanes(panes: PaneSession, main: ViewerStore, stored: StoredValue<SavedPanes>): void {
  const saved = main.getState().startsWhereLeft ? stored.load() : undefined;
  if (saved && saved.count > 1) {
    const stop = main.subscribe(({ events, isVisiting }) => {
      if (events.phase !== "ready") return;
      stop();
      if (!isVisiting) restore(panes, main, saved);
    });
  }
  let last = JSON.stringify(toSavedPanes(panes));
  const save = (): void => {
    const next = toSavedPanes(panes);
    const text = JSON.stringify(next);
    if (text !== last && !main.getState().isVisiting) stored.save(next);
    last = text;
  };
  const watched = new WeakSet([main]);
  panes.store.subscribe((state) => {
    for (const { store } of state.panes) {
      if (watched.has(store)) continue;
      watched.add(store);
      store.subscribe(({ selectedEventId, layerPreferences }, before) => {
        if (selectedEventId !== before.selectedEventId || layerPreferences !== before.layerPreferences)
          save();
      });
    }
    save();
  });
}

function restore(panes: PaneSession, main: ViewerStore, { count, lock, others }: SavedPanes): void {
  const known = new Set(main.getState().events.list.map(({ id }) => id));
  panes.setCount(count);
  panes.store.setState({ lock });
  for (const [index, { eventId, layers }] of others.entries()) {
    const pane = panes.store.getState().panes[index + 1];
    if (eventId !== undefined && known.has(eventId)) pane?.store.getState().chooseEvent(eventId);
    pane?.store.setState({ layerPreferences: layers });
  }
}
