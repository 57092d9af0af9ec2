// A viewer that is connected throughout: the real one's session, store, client and stream, without a screen. It notes
// whatever contradicts what it was told before.
import { createStormClient } from "../../renderer/api/client.ts";
import { openSocket } from "../../renderer/platform/socket.ts";
import type { Revision } from "../../renderer/state/revisions.ts";
import { startSession } from "../../renderer/state/session.ts";
import { createViewerStore } from "../../renderer/state/store.ts";

export interface WatchingViewer {
  /** What it shows: ascending sequence, the newest 360. */
  readonly revisions: () => readonly Revision[];
  readonly latestSequence: () => number | undefined;
  /** Everything that it was told and that cannot be true together. */
  readonly contradictions: readonly string[];
  /** How often its stream was opened. */
  readonly connections: () => number;
  /** How often it was told of other revisions than before. */
  readonly readings: () => number;
  readonly close: () => void;
}

/** `getOrigin` may be asked before there is one. */
export function watch(getOrigin: () => string, eventId: string): WatchingViewer {
  const store = createViewerStore();
  const told = new Map<number, string>();
  const contradictions: string[] = [];
  let connections = 0;
  let readings = 0;
  let highest = 0;
  const session = startSession({
    store,
    client: createStormClient({ fetch: (path, init) => fetch(new URL(path as string, getOrigin()), init) }),
    effects: {
      openSocket: (path, handlers) => openSocket(new URL(path, getOrigin().replace(/^http/, "ws")), handlers),
      now: () => Date.now(),
      random: () => Math.random(),
      onNextFrame: () => () => undefined,
      onReturn: () => () => undefined,
    },
  });
  const note = (revisions: readonly Revision[], latest: number | undefined): void => {
    readings += 1;
    for (const { sequence, revisionId, layers } of revisions) {
      const text = JSON.stringify({ revisionId, layers });
      const before = told.get(sequence);
      if (before !== undefined && before !== text)
        contradictions.push(`${sequence}: ${before}, then ${text}`);
      told.set(sequence, text);
    }
    if ((latest ?? 0) < highest) contradictions.push(`latest ${highest}, then ${String(latest)}`);
    highest = Math.max(highest, latest ?? 0);
  };
  store.subscribe((state, previous) => {
    if (state.stream.kind === "open" && previous.stream.kind !== "open") connections += 1;
    if (state.history.phase !== "ready" || state.history.revisions === previous.history.revisions) return;
    note(state.history.revisions, state.history.latestSequence);
  });
  store.getState().chooseEvent(eventId);
  return {
    revisions: () => store.getState().history.revisions,
    latestSequence: () => store.getState().history.latestSequence,
    contradictions,
    connections: () => connections,
    readings: () => readings,
    close: session.close,
  };
}
