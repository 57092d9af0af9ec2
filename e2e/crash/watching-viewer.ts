// A viewer that stays connected: the real session, store, client and stream, without a screen. It records every
// contradiction between messages.
import { createStormClient } from "../../renderer/api/client.ts";
import { openSocket } from "../../renderer/platform/socket.ts";
import type { Revision } from "../../renderer/state/timeline/revisions.ts";
import { startSession } from "../../renderer/state/reading/session.ts";
import { createViewerStore } from "../../renderer/state/store.ts";

export interface WatchingViewer {
  /** Revisions shown, in ascending sequence, at most the newest 360. */
  readonly revisions: () => readonly Revision[];
  readonly latestSequence: () => number | undefined;
  /** Received facts that contradict earlier ones. */
  readonly contradictions: readonly string[];
  /** Number of times that its stream was opened. */
  readonly connections: () => number;
  /** Number of times that its list of revisions changed. */
  readonly readings: () => number;
  readonly close: () => void;
}

/** Starts a viewer of an event; `getOrigin` is called for each request. */
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
      onReturn: () => () => undefined,
      isPublic: false,
      isVisible: () => true,
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
