// Puts the actions together: the catalog, the two kinds of work that go on by themselves, and the board of tasks. Part of
// the composition, as start.ts is.
import { basename } from "node:path";
import { createDispatch } from "../../../shared/actions/dispatch.ts";
import type { HostActionName } from "../../../shared/contract/action-names.ts";
import type { Dispatch, ReplayInput } from "../../../shared/contract/actions.ts";
import { createBriefingActions, type BriefingParts } from "../actions/briefing-actions.ts";
import { toFetchSource } from "../actions/fetch-source.ts";
import { createGatewayActions, type GatewayParts } from "../actions/gateway-actions.ts";
import { createHostActions } from "../actions/host-actions.ts";
import { createPackActions, type PackParts } from "../actions/pack-actions.ts";
import { TaskBoard, type TaskReport, type TaskWork } from "../actions/task-board.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { HostConfig } from "../config/host-config.ts";
import type { Effects } from "../../platform/effects.ts";
import type { FetchReport } from "../../sources/feeds/fetch-event.ts";
import type { FileSourceConfig } from "../../sources/feeds/feed-config.ts";
import { fetchFrom } from "../../sources/feeds/fetch-from.ts";
import { createRenderPool } from "../../pipeline/ingest/render-pool.ts";
import { listKnownEvents } from "../config/known-events.ts";
import { startReplay } from "../../sources/replay/start-replay.ts";

export interface RunningActions {
  readonly dispatch: Dispatch;
  /** Stops every task and waits for its end. */
  readonly close: () => Promise<void>;
}

export interface ActionStores {
  readonly catalog: Catalog;
  readonly frames: FrameStore;
}

/** Packs as the host runs them; the rest of what their actions need is here already. */
export type PackServices = Omit<PackParts, "board" | "now" | "findEvent" | "listRevisions">;

/** Briefings likewise. */
export type BriefingServices = Omit<BriefingParts, "board" | "findEvent">;

/** The other parts of the host, as far as actions ask for them. */
export interface ActionServices {
  readonly packs: PackServices;
  readonly briefings: BriefingServices;
  readonly gateway: GatewayParts;
}

export function startActions(
  config: HostConfig,
  stores: ActionStores,
  effects: Effects,
  { packs, briefings, gateway }: ActionServices,
): RunningActions {
  const { catalog } = stores;
  const { log } = effects;
  const board = new TaskBoard(log);
  const findEvent = (eventId: string) => catalog.findEvent(eventId);
  const dispatch = createDispatch<HostActionName>({
    handlers: {
      ...createHostActions({
        board,
        findEvent,
        registerEvent: (registration) => catalog.registerEvent(registration),
        archiveEvent: (eventId) => catalog.archiveEvent(eventId),
        listKnownEvents,
        beginFetch: async (request, report, signal) => {
          const { eventId } = request;
          const source = toFetchSource(request.source);
          return Promise.resolve({
            ended: fetchOnce({ config, stores, effects, eventId, source, report, signal }),
          });
        },
        beginReplay: (request, report, signal) => beginReplay(catalog, effects, { request, report, signal }),
      }),
      ...createPackActions({
        ...packs,
        board,
        now: effects.now,
        findEvent,
        listRevisions: (eventId, limit) => catalog.listRevisions(eventId, limit),
      }),
      ...createBriefingActions({ ...briefings, board, findEvent }),
      ...createGatewayActions(gateway),
    },
    report: (message, facts) => {
      log("warn", message, facts);
    },
  });
  return { dispatch, close: () => board.close() };
}

interface FetchBeginning {
  readonly config: HostConfig;
  readonly stores: ActionStores;
  readonly effects: Effects;
  readonly eventId: string;
  readonly source: FileSourceConfig;
  readonly report: TaskReport;
  readonly signal: AbortSignal;
}

/** Resolves with the sentence that says what came of it. */
async function fetchOnce(beginning: FetchBeginning): Promise<string> {
  const { config, stores, effects, eventId, source, report, signal } = beginning;
  const pool = createRenderPool({ workerUrl: config.renderWorkerUrl });
  try {
    let lastFailure = "";
    const fetched = await fetchFrom({
      ...stores,
      directory: config.dataDirectory,
      eventId,
      source,
      pool,
      effects,
      signal,
      // Each file and each gap stands in the feeds' log too.
      onFile: (file) => {
        if (file.status === "failed") lastFailure = file.error;
        report.say(file.status === "failed" ? file.error : `${basename(file.file)}: ${file.status}.`);
      },
      onMissing: ({ from, to }) => {
        report.say(`The source has nothing from ${from} to ${to}.`);
      },
      onProgress: report.progress,
    });
    return toFetchSentence(fetched, lastFailure);
  } finally {
    await pool.close();
  }
}

function toFetchSentence(
  { listed, known, failed, missingWindows, isComplete }: FetchReport,
  lastFailure: string,
): string {
  const parts = [
    `The source has ${listed} files of the window`,
    ...(known > 0 ? [`${known} were here already`] : []),
    ...(failed > 0 ? [`${failed} failed, the last one because of: ${lastFailure}`] : []),
    ...(missingWindows > 0 ? [`${missingWindows} windows are missing there`] : []),
  ];
  return `${parts.join("; ")}. The event is ${isComplete ? "complete" : "not complete"}.`;
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
