// Looks for the onset of each pane's event, in the background, while panes are locked by time since onset.
import type { SharedFrames } from "../../frames/shared-frames.ts";
import type { Revision } from "../timeline/revisions.ts";
import { createOnsetFinder, type Onset, type OnsetRule } from "./onset.ts";
import { type PaneLetter, type PanesStore } from "./pane-store.ts";

interface Search {
  readonly eventId: string | undefined;
  readonly revisions: readonly Revision[];
  readonly rule: OnsetRule;
  readonly abort: AbortController;
}

/** Watches until the returned function is called. */
export function watchOnsets(panesStore: PanesStore, frames: SharedFrames): () => void {
  let source: ReturnType<SharedFrames["open"]> | undefined;
  const finder = createOnsetFinder({
    load: (imageUrl, signal) => (source ??= frames.open("levels")).load(imageUrl, signal),
  });
  const searches = new Map<PaneLetter, Search>();
  let stops: (() => void)[] = [];
  let watched: unknown;

  function report(letter: PaneLetter, onset: Onset | undefined): void {
    panesStore.setState(({ onsets }) => ({ onsets: { ...onsets, [letter]: onset } }));
  }

  function look(): void {
    const { panes, lock, onsetRule, count } = panesStore.getState();
    const isWanted = lock === "onset" && count > 1;
    for (const [letter, { abort }] of searches) {
      if (isWanted && panes.some((pane) => pane.letter === letter)) continue;
      abort.abort();
      searches.delete(letter);
      report(letter, undefined);
    }
    if (!isWanted) return;
    for (const { letter, store } of panes) {
      const { history, selectedEventId: eventId } = store.getState();
      const { revisions } = history;
      const running = searches.get(letter);
      if (revisions.length === 0 || (running?.revisions === revisions && running.rule === onsetRule))
        continue;
      running?.abort.abort();
      const abort = new AbortController();
      searches.set(letter, { eventId, revisions, rule: onsetRule, abort });
      // The earlier result stays until the longer list is read.
      const isSame = running?.eventId === eventId && running?.rule === onsetRule;
      if (!isSame) report(letter, undefined);
      void finder.find(
        revisions,
        onsetRule,
        (onset) => {
          if (abort.signal.aborted || (isSame && onset.kind === "searching")) return;
          report(letter, onset);
        },
        abort.signal,
      );
    }
  }

  function watch(): void {
    const { panes } = panesStore.getState();
    if (watched !== panes) {
      watched = panes;
      for (const stop of stops) stop();
      stops = panes.map(({ store }) =>
        store.subscribe((state, previous) => {
          if (state.history.revisions !== previous.history.revisions) look();
        }),
      );
    }
    look();
  }
  const stop = panesStore.subscribe(watch);
  return () => {
    stop();
    for (const end of stops) end();
    for (const { abort } of searches.values()) abort.abort();
    source?.close();
  };
}
