// What each action about briefings does. The folder of briefings and publishing into it come in as functions, so that this part
// knows neither.
import { AppError } from "../../../shared/app-error.ts";
import type { BriefingActionName } from "../../../shared/contract/action-names.ts";
import type { ActionHandlers } from "../../../shared/contract/actions.ts";
import type { Briefing, PublishBriefingInput } from "../../../shared/contract/briefings.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { KnownRecord } from "./host-actions.ts";
import type { TaskBoard, TaskReport, TaskWork } from "./task-board.ts";

export interface BriefingParts {
  readonly board: TaskBoard;
  readonly findEvent: (eventId: string) => Promise<KnownRecord | undefined>;
  readonly listBriefings: () => Promise<readonly Briefing[]>;
  readonly beginPublish: (
    request: PublishBriefingInput,
    report: TaskReport,
    signal: AbortSignal,
  ) => Promise<TaskWork>;
}

export function createBriefingActions(parts: BriefingParts): ActionHandlers<BriefingActionName> {
  return {
    "briefings.list": async () => ({ briefings: [...(await parts.listBriefings())] }),
    "briefings.publish": (request) => publish(parts, request),
  };
}

async function publish(
  { board, findEvent, beginPublish }: BriefingParts,
  request: PublishBriefingInput,
): Promise<Task> {
  const { eventId } = request;
  const event = await findEvent(eventId);
  if (event === undefined) throw new AppError("not-found", `There is no event ${eventId}.`);
  if (event.latestSequence === 0)
    throw new AppError("conflict", `${event.label} has no revision yet that a page could be about.`);
  return board.start({
    kind: "briefing-publish",
    eventId,
    message: `Composing the pages of ${event.label}.`,
    begin: (report, signal) => beginPublish(request, report, signal),
  });
}
