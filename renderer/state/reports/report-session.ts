// Has the hail reports compared with the frames of the event while their table or a report's card is open.
import { isAppError } from "../../../shared/app-error.ts";
import { toFrameTasks } from "../../../shared/reports/report-verification.ts";
import type { StormReport } from "../../../shared/reports/storm-report.ts";
import type { AnalysisClient } from "../../frames/analysis-client.ts";
import type { EstimateRef } from "../../frames/analysis-messages.ts";
import { noneCompared, type ComparedReports } from "../slices/reports-slice.ts";
import type { ViewerStore } from "../store.ts";
import { selectHailReports, selectStormReports, toEstimateRefs } from "./report-frames.ts";

/** Returns a function that ends it. */
export function startReports(store: ViewerStore, client: Pick<AnalysisClient, "verifyReports">): () => void {
  let abort = new AbortController();
  let asked:
    | { readonly reports: readonly StormReport[]; readonly frames: readonly EstimateRef[] }
    | undefined;

  async function compare(
    reports: readonly StormReport[],
    frames: readonly EstimateRef[],
    signal: AbortSignal,
  ): Promise<void> {
    const tasks = toFrameTasks(reports, frames);
    const learn = (compared: Partial<ComparedReports>): void => {
      if (signal.aborted) return;
      store.getState().learnCompared({ ...store.getState().compared, total: tasks.length, ...compared });
    };
    learn({ read: 0, problem: undefined });
    try {
      const { verified, unreadable } = await client.verifyReports({ reports, tasks }, signal, (read) => {
        learn({ read });
      });
      // Messages between threads are copies; the reports are known by what they are here.
      const own = verified.map((one, index) => ({ ...one, report: reports[index]! }));
      learn({ read: tasks.length, verified: own, unreadable });
    } catch (error) {
      if (signal.aborted) return;
      if (!isAppError(error)) throw error;
      learn({ verified: undefined, problem: error.detail });
    }
  }

  function look(): void {
    const state = store.getState();
    const isWanted = state.isReportsOpen || state.chosenReport !== undefined;
    const reports = selectHailReports(state);
    if (state.chosenReport && !selectStormReports(state).includes(state.chosenReport)) {
      state.chooseReport(undefined);
      return;
    }
    const frames = toEstimateRefs(state.history.revisions);
    if (reports.length === 0) {
      abort.abort();
      asked = undefined;
      if (state.compared !== noneCompared) state.learnCompared(noneCompared);
      return;
    }
    if (!isWanted) return;
    if (asked?.reports === reports && asked.frames === frames) return;
    // Another event has nothing in common with the one before.
    const isSameEvent = asked?.reports === reports && isContinued(asked.frames, frames);
    asked = { reports, frames };
    abort.abort();
    abort = new AbortController();
    if (!isSameEvent) state.learnCompared(noneCompared);
    void compare(reports, frames, abort.signal);
  }

  const unsubscribe = store.subscribe(look);
  look();
  return () => {
    unsubscribe();
    abort.abort();
  };
}

function isContinued(before: readonly EstimateRef[], after: readonly EstimateRef[]): boolean {
  const known = new Set(before.map(({ imageUrl }) => imageUrl));
  return after.some(({ imageUrl }) => known.has(imageUrl));
}
