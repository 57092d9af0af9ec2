// Actions on events and tasks: register, archive, remove, fetch, replay; list, pause, resume, stop, retry.
import { AppError } from "../../../shared/app-error.ts";
import type { EventActionName } from "../../../shared/contract/action-names.ts";
import type {
  ActionHandlers,
  FetchInput,
  RegisterInput,
  ReplayInput,
} from "../../../shared/contract/actions.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { listKnownEvents } from "../config/known-events.ts";
import { getEvent, getPublishedEvent, type EventLookup } from "./find-event.ts";
import { freeReplayId } from "./replay-id.ts";
import type { BeginTask, TaskBoard } from "./task-board.ts";

export interface EventActionParts {
  readonly board: TaskBoard;
  readonly catalog: EventLookup & Pick<Catalog, "registerEvent" | "archiveEvent" | "removeEvent">;
  readonly beginFetch: BeginTask<FetchInput>;
  readonly beginReplay: BeginTask<Required<ReplayInput>>;
}

export function createEventActions(parts: EventActionParts): ActionHandlers<EventActionName> {
  const { board, catalog } = parts;
  const register = async (registration: RegisterInput): Promise<{ eventId: string }> => {
    await catalog.registerEvent(registration);
    return { eventId: registration.id };
  };
  return {
    "events.known": () => Promise.resolve({ events: [...listKnownEvents()] }),
    "events.register": register,
    "events.registerKnown": async ({ name }) => {
      const known = listKnownEvents().find((event) => event.name === name);
      if (known === undefined) throw new AppError("not-found", `There is no known event "${name}".`);
      const { label, startedAt, endedAt } = known;
      return register({ id: name, label, startedAt, endedAt });
    },
    "events.archive": async ({ eventId }) => {
      if (board.isBusy(eventId))
        throw new AppError("conflict", "A task is working on this event; stop it before archiving.");
      await catalog.archiveEvent(eventId);
      return { eventId };
    },
    "events.remove": async ({ eventId }) => {
      if (board.isBusy(eventId))
        throw new AppError("conflict", "A task is working on this event; stop it before removing the event.");
      await catalog.removeEvent(eventId);
      board.forget(eventId);
      return { eventId };
    },
    "events.fetch": (request) => fetchEvent(parts, request),
    "events.replay": (request) => replayEvent(parts, request),
    "tasks.list": () => Promise.resolve({ tasks: board.list() }),
    "tasks.pause": async ({ taskId }) => Promise.resolve(board.pause(taskId)),
    "tasks.resume": async ({ taskId }) => Promise.resolve(board.resume(taskId)),
    "tasks.stop": ({ taskId }) => board.stop(taskId),
    "tasks.retry": ({ taskId }) => board.retry(taskId),
  };
}

async function fetchEvent(
  { board, catalog, beginFetch }: EventActionParts,
  request: FetchInput,
): Promise<Task> {
  const { eventId } = request;
  const { label } = await getEvent(catalog, eventId);
  return board.start({
    kind: "fetch",
    eventId,
    message: `Asking the source for files of ${label}.`,
    begin: (report, signal) => beginFetch(request, report, signal),
  });
}

async function replayEvent(
  { board, catalog, beginReplay }: EventActionParts,
  request: ReplayInput,
): Promise<Task> {
  const event = await getPublishedEvent(catalog, request.eventId, "replayed");
  const isTaken = async (id: string): Promise<boolean> =>
    board.isBusy(id) || (await catalog.findEvent(id)) !== undefined;
  const asEventId = request.asEventId ?? (await freeReplayId(event.id, isTaken));
  return board.start({
    kind: "replay",
    eventId: asEventId,
    message: `Replaying ${event.label}.`,
    begin: (report, signal) => beginReplay({ ...request, asEventId }, report, signal),
  });
}
