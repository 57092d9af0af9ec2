// Puts the actions together: the catalog, the two kinds of work that go on by themselves, and the board of tasks. Part of
// the composition, as start.ts is.
import { createDispatch } from "../shared/actions/dispatch.ts";
import { AppError } from "../shared/app-error.ts";
import type { HostActionName } from "../shared/contract/action-names.ts";
import type { Dispatch } from "../shared/contract/actions.ts";
import { createHostActions } from "./actions/host-actions.ts";
import { TaskBoard } from "./actions/task-board.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { Effects } from "./effects.ts";

export interface RunningActions {
  readonly dispatch: Dispatch;
  /** Stops every task and waits for its end. */
  readonly close: () => Promise<void>;
}

export function startActions(catalog: Catalog, { log }: Effects): RunningActions {
  const board = new TaskBoard(log);
  const dispatch = createDispatch<HostActionName>({
    handlers: createHostActions({
      board,
      findEvent: (eventId) => catalog.findEvent(eventId),
      registerEvent: (registration) => catalog.registerEvent(registration),
      archiveEvent: (eventId) => catalog.archiveEvent(eventId),
      listKnownEvents: () => [],
      beginFetch: () => {
        throw new AppError("conflict", "This host does not fetch.");
      },
      beginReplay: () => {
        throw new AppError("conflict", "This host does not replay.");
      },
    }),
    report: (message, facts) => {
      log("warn", message, facts);
    },
  });
  return { dispatch, close: () => board.close() };
}
