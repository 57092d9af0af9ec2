// Facts from the stores of all panes on screen, for words and drawings that are about all of them.
import { useCallback, useRef, useSyncExternalStore } from "react";
import { shallow } from "zustand/shallow";
import { selectVisiblePanes, type Pane, type PanesState } from "../../state/panes/pane-store.ts";
import { selectShownRevision } from "../../state/selectors.ts";
import type { PaneFacts } from "../../text/pane-text.ts";
import { useViewer } from "../../viewer-context.ts";

/** Returns one result for each pane on screen, and the same list until one of them changes. */
export function useFromPanes<T>(select: (pane: Pane, panes: PanesState) => T): readonly T[] {
  const { panes } = useViewer();
  const last = useRef<readonly T[]>([]);
  const follow = useCallback(
    (onChange: () => void) => {
      let stops: (() => void)[] = [];
      const watch = (): void => {
        for (const stop of stops) stop();
        stops = panes.store.getState().panes.map(({ store }) => store.subscribe(onChange));
      };
      watch();
      const stop = panes.store.subscribe((state, previous) => {
        if (state.panes !== previous.panes) watch();
        onChange();
      });
      return () => {
        stop();
        for (const end of stops) end();
      };
    },
    [panes],
  );
  return useSyncExternalStore(follow, () => {
    const state = panes.store.getState();
    const next = selectVisiblePanes(state).map((pane) => select(pane, state));
    const isSame =
      next.length === last.current.length && next.every((facts, at) => shallow(facts, last.current[at]));
    if (!isSame) last.current = next;
    return last.current;
  });
}

/** Returns what the lock's words need to know of each pane on screen. */
export function usePaneFacts(): readonly PaneFacts[] {
  return useFromPanes(toFacts);
}

function toFacts({ letter, store }: Pane, { onsets, locked }: PanesState): PaneFacts {
  return {
    letter,
    shown: selectShownRevision(store.getState()),
    onset: onsets[letter],
    locked: locked[letter],
  };
}
