// What each action does, over the catalog and the two kinds of work that go on by themselves. Feeds, replay and the
// catalogue of known events come in as functions, so that this part knows none of them.
import { AppError } from "../../../shared/app-error.ts";
import type { EventActionName } from "../../../shared/contract/action-names.ts";
import type {
  ActionHandlers,
  FetchInput,
  RegisterInput,
  ReplayInput,
} from "../../../shared/contract/actions.ts";
import type { KnownEvent } from "../../../shared/contract/known-event.ts";
import type { Task } from "../../../shared/contract/task.ts";
import { freeReplayId } from "./replay-id.ts";
import type { TaskBoard, TaskReport, TaskWork } from "./task-board.ts";

/** The part of an event that the actions look at. */
export interface KnownRecord {
  readonly id: string;
  readonly label: string;
  readonly latestSequence: number;
}

export interface ActionParts {
  readonly board: TaskBoard;
  readonly findEvent: (eventId: string) => Promise<KnownRecord | undefined>;
  /** Throws `conflict` when the id is taken by another window. */
  readonly registerEvent: (registration: RegisterInput) => Promise<unknown>;
  /** Throws `not-found`. */
  readonly archiveEvent: (eventId: string) => Promise<void>;
  readonly listKnownEvents: () => readonly KnownEvent[];
  readonly beginFetch: (request: FetchInput, report: TaskReport, signal: AbortSignal) => Promise<TaskWork>;
  readonly beginReplay: (
    request: Required<ReplayInput>,
    report: TaskReport,
    signal: AbortSignal,
  ) => Promise<TaskWork>;
}

export function createHostActions(parts: ActionParts): ActionHandlers<EventActionName> {
  const { board } = parts;
  return {
    "events.known": () => Promise.resolve({ events: [...parts.listKnownEvents()] }),
    "events.register": (registration) => register(parts, registration),
    "events.registerKnown": async ({ name }) => {
      const known = parts.listKnownEvents().find((event) => event.name === name);
      if (known === undefined) throw new AppError("not-found", `The catalogue of events has no "${name}".`);
      const { label, startedAt, endedAt } = known;
      return register(parts, { id: name, label, startedAt, endedAt });
    },
    "events.archive": async ({ eventId }) => {
      if (board.isBusy(eventId))
        throw new AppError("conflict", "A task is working on this event; stop it before archiving.");
      await parts.archiveEvent(eventId);
      return { eventId };
    },
    "events.fetch": (request) => fetchEvent(parts, request),
    "events.replay": (request) => replayEvent(parts, request),
    "tasks.list": () => Promise.resolve({ tasks: board.list() }),
    "tasks.pause": async ({ taskId }) => Promise.resolve(board.pause(taskId)),
    "tasks.resume": async ({ taskId }) => Promise.resolve(board.resume(taskId)),
    "tasks.stop": ({ taskId }) => board.stop(taskId),
  };
}

async function register(
  { registerEvent }: ActionParts,
  registration: RegisterInput,
): Promise<{ eventId: string }> {
  await registerEvent(registration);
  return { eventId: registration.id };
}

async function getEvent({ findEvent }: ActionParts, eventId: string): Promise<KnownRecord> {
  const event = await findEvent(eventId);
  if (event === undefined) throw new AppError("not-found", `There is no event ${eventId}.`);
  return event;
}

async function fetchEvent(parts: ActionParts, request: FetchInput): Promise<Task> {
  const { eventId } = request;
  const { label } = await getEvent(parts, eventId);
  return parts.board.start({
    kind: "fetch",
    eventId,
    message: `Asking the source what it has of ${label}.`,
    begin: (report, signal) => parts.beginFetch(request, report, signal),
  });
}

async function replayEvent(parts: ActionParts, request: ReplayInput): Promise<Task> {
  const event = await getEvent(parts, request.eventId);
  if (event.latestSequence === 0)
    throw new AppError("conflict", `${event.label} has no revision yet that could be replayed.`);
  const asEventId = request.asEventId ?? (await freeReplayId(event.id, (id) => isTaken(parts, id)));
  return parts.board.start({
    kind: "replay",
    eventId: asEventId,
    message: `Replaying ${event.label}.`,
    begin: (report, signal) => parts.beginReplay({ ...request, asEventId }, report, signal),
  });
}

async function isTaken({ findEvent, board }: ActionParts, eventId: string): Promise<boolean> {
  return board.isBusy(eventId) || (await findEvent(eventId)) !== undefined;
}
