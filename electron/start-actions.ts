// Puts the actions together: the catalog, the two kinds of work that go on by themselves, and the board of tasks. Part of
// the composition, as start.ts is.
import { createDispatch } from "../shared/actions/dispatch.ts";
import { AppError } from "../shared/app-error.ts";
import type { HostActionName } from "../shared/contract/action-names.ts";
import type { Dispatch, ReplayInput } from "../shared/contract/actions.ts";
import { createHostActions } from "./actions/host-actions.ts";
import { TaskBoard, type TaskReport, type TaskWork } from "./actions/task-board.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { Effects } from "./effects.ts";
import { listKnownEvents } from "./known-events.ts";
import { startReplay } from "./replay/replay.ts";

export interface RunningActions {
  readonly dispatch: Dispatch;
  /** Stops every task and waits for its end. */
  readonly close: () => Promise<void>;
}

export function startActions(catalog: Catalog, effects: Effects): RunningActions {
  const { log } = effects;
  const board = new TaskBoard(log);
  const dispatch = createDispatch<HostActionName>({
    handlers: createHostActions({
      board,
      findEvent: (eventId) => catalog.findEvent(eventId),
      registerEvent: (registration) => catalog.registerEvent(registration),
      archiveEvent: (eventId) => catalog.archiveEvent(eventId),
      listKnownEvents,
      beginFetch: () => {
        return Promise.reject(new AppError("conflict", "This host does not fetch."));
      },
      beginReplay: (request, report, signal) => beginReplay(catalog, effects, { request, report, signal }),
    }),
    report: (message, facts) => {
      log("warn", message, facts);
    },
  });
  return { dispatch, close: () => board.close() };
}

interface ReplayBeginning {
  readonly request: Required<ReplayInput>;
  readonly report: TaskReport;
  readonly signal: AbortSignal;
}

async function beginReplay(
  catalog: Catalog,
  effects: Effects,
  { request, report, signal }: ReplayBeginning,
): Promise<TaskWork> {
  const { eventId: from, asEventId: as, speed } = request;
  let total = 0;
  let done = 0;
  const replay = await startReplay({
    catalog,
    from,
    as,
    speed,
    effects,
    signal,
    onRevision: ({ of }) => {
      done += 1;
      report.progress(done, total);
      report.say(`Revision ${of.sequence} of ${from} was published again.`);
    },
  });
  total = replay.plan.last - replay.plan.after;
  report.progress(done, total);
  const toSentence = (): string => `${done} ${done === 1 ? "revision" : "revisions"} replayed.`;
  return {
    ended: replay.done.then(toSentence),
    pause: () => {
      replay.pause();
    },
    resume: () => {
      replay.resume();
    },
  };
}
