// The work of the tasks `fetch` and `replay`.
import { basename } from "node:path";
import type { FetchInput, ReplayInput } from "../../../shared/contract/actions.ts";
import { fetchWindow, toFetchSummary, type FetchWindowOptions } from "../jobs/fetch-window.ts";
import { startReplay, type ReplayOptions } from "../../sources/replay/start-replay.ts";
import { toFetchSource } from "../config/source-text.ts";
import type { BeginTask, TaskReport } from "./task-board.ts";

type FetchPlace = Pick<FetchWindowOptions, "catalog" | "frames" | "sources" | "stagingFolder" | "effects"> & {
  readonly renderWorkerUrl: URL;
};

export function createFetchTask(place: FetchPlace): BeginTask<FetchInput> {
  return (request, report, signal) => {
    // Throws before there is a task.
    const source = toFetchSource(request.source);
    return { ended: fetchAndReport(place, { eventId: request.eventId, source, signal }, report) };
  };
}

async function fetchAndReport(
  { renderWorkerUrl, ...place }: FetchPlace,
  request: Pick<FetchWindowOptions, "eventId" | "source" | "signal">,
  report: TaskReport,
): Promise<string> {
  let lastFailure: string | undefined;
  const fetched = await fetchWindow(renderWorkerUrl, {
    ...place,
    ...request,
    // The feeds' log holds every file and every gap.
    onFile: (file) => {
      if (file.status === "failed") lastFailure = file.error;
      report.say(file.status === "failed" ? file.error : `${basename(file.file)}: ${file.status}.`);
    },
    onMissing: ({ from, to }) => {
      report.say(`The source has nothing from ${from} to ${to}.`);
    },
    onProgress: report.progress,
  });
  return toFetchSummary(fetched, lastFailure);
}

export function createReplayTask(
  place: Pick<ReplayOptions, "catalog" | "effects">,
): BeginTask<Required<ReplayInput>> {
  return async ({ eventId: from, asEventId: as, speed }, report, signal) => {
    let total = 0;
    let done = 0;
    const replay = await startReplay({
      ...{ ...place, from, as, speed, signal },
      onRevision: ({ of }) => {
        done += 1;
        report.progress(done, total);
        report.say(`Revision ${of.sequence} of ${from} was republished.`);
      },
    });
    total = replay.plan.last - replay.plan.after;
    report.progress(done, total);
    const toSummary = (): string => `${done} ${done === 1 ? "revision" : "revisions"} replayed.`;
    return {
      ended: replay.done.then(toSummary),
      pause: () => {
        replay.pause();
      },
      resume: () => {
        replay.resume();
      },
    };
  };
}
