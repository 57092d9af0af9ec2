// Starts and stops the live feed of the host, and reads its state: at first, when the page may act, and at intervals,
// because another window may change it.
import type { LiveState } from "../../../shared/contract/live.ts";
import type { ActionCarrier, ActionOutcome } from "../../api/action-client.ts";
import { pollTiming } from "../../platform/viewer-limits.ts";
import { createReader } from "../reading/single-reader.ts";
import { mayAct } from "../slices/tasks-slice.ts";
import type { ViewerStore } from "../store.ts";

export interface LiveSession {
  /** Follows a source. Resolves to a sentence about what is wrong; undefined once the feed has started. */
  readonly start: (source: string) => Promise<string | undefined>;
  /** Resolves to a sentence about what is wrong; undefined once the feed has stopped. */
  readonly stop: () => Promise<string | undefined>;
  readonly read: () => void;
  readonly close: () => void;
}

export interface LiveSessionParts {
  readonly store: ViewerStore;
  readonly carrier: ActionCarrier;
  readonly isVisible: () => boolean;
  /** Called when the feeds and the lists of events should be read again. */
  readonly onChange: () => void;
  /** Chooses an event now, or once it is listed. */
  readonly goTo: (eventId: string) => void;
}

export function startLiveSession({
  store,
  carrier,
  isVisible,
  onChange,
  goTo,
}: LiveSessionParts): LiveSession {
  const take = (outcome: ActionOutcome<"live.read">): LiveState | undefined => {
    if ("ok" in outcome) {
      store.getState().receiveLive(outcome.ok);
      return outcome.ok;
    }
    if (outcome.problem.code === "refused") store.getState().setAccess("refused");
    return undefined;
  };
  const reader = createReader(async (signal) => {
    if (!mayAct(store.getState().access) || !isVisible()) return;
    const outcome = await carrier("live.read", {});
    if (!signal.aborted) take(outcome);
  });
  const change = (
    outcome: ActionOutcome<"live.start" | "live.stop">,
    onDone: (state: LiveState) => void,
  ): string | undefined => {
    const state = take(outcome);
    onChange();
    if (state) onDone(state);
    return "problem" in outcome ? outcome.problem.detail : undefined;
  };
  const timer = setInterval(reader.request, pollTiming.othersMs);
  const stop = store.subscribe((state, previous) => {
    if (state.access !== previous.access) reader.request();
  });
  reader.request();
  return {
    start: async (source) =>
      change(await carrier("live.start", { source }), ({ eventId }) => {
        if (eventId !== null) goTo(eventId);
      }),
    stop: async () => change(await carrier("live.stop", {}), () => undefined),
    read: reader.request,
    close: () => {
      clearInterval(timer);
      stop();
      reader.close();
    },
  };
}
