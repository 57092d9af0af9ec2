// Actions on briefings: list them with their addresses, and publish one as a task.
import type { BriefingActionName } from "../../../shared/contract/action-names.ts";
import type { ActionHandlers } from "../../../shared/contract/actions.ts";
import type { PublishBriefingInput } from "../../../shared/contract/briefings.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { CatalogWriter } from "../../catalog/catalog.ts";
import { createMutex, type Mutex } from "../../platform/locks/mutex.ts";
import type { BriefingSources } from "../../sharing/briefings/briefing.ts";
import { listBriefings } from "../../sharing/briefings/list-briefings.ts";
import { toPublishedWords } from "../../sharing/briefings/briefing-words.ts";
import { briefingsIn } from "../config/data-location.ts";
import { loopbackAddress } from "../config/host-config.ts";
import type { RunningGateway } from "../start/start-gateway.ts";
import { getPublishedEvent } from "./find-event.ts";
import type { TaskBoard } from "./task-board.ts";

export interface BriefingActionParts extends Pick<BriefingSources, "frames" | "mapFile"> {
  readonly catalog: BriefingSources["catalog"] & Pick<CatalogWriter, "saveSteps">;
  readonly board: TaskBoard;
  readonly dataDirectory: string;
  /** Returns undefined while the gateway is off. */
  readonly gateway: () => Pick<RunningGateway, "origin" | "zones"> | undefined;
}

export function createBriefingActions(parts: BriefingActionParts): ActionHandlers<BriefingActionName> {
  // Publications write one list of all briefings.
  const mutex = createMutex();
  return {
    "briefings.list": async () => {
      const base = findLocalAddress(parts);
      const briefings = await listBriefings(briefingsIn(parts.dataDirectory), parts.catalog);
      return {
        briefings: briefings.map((briefing) => ({
          ...briefing,
          address: base === undefined ? null : `${base}/${briefing.eventId}/`,
        })),
      };
    },
    "briefings.publish": (request) => publish(parts, request, mutex),
    "briefings.saveSteps": async ({ document, basedOn }) => {
      const { eventId } = document;
      const text = JSON.stringify(document);
      const { version, changedAt } = await parts.catalog.saveSteps({ eventId, document: text, basedOn });
      return { version, changedAt };
    },
  };
}

async function publish(
  parts: BriefingActionParts,
  { eventId, sequences, baseUrl = findPublicAddress(parts) }: PublishBriefingInput,
  mutex: Mutex,
): Promise<Task> {
  const { board, catalog, frames, dataDirectory, mapFile } = parts;
  const { label } = await getPublishedEvent(catalog, eventId, "published");
  const request = { eventId, sequences, baseUrl, directory: briefingsIn(dataDirectory) };
  return board.start({
    kind: "briefing-publish",
    eventId,
    message: `Composing the pages of ${label}.`,
    begin: ({ progress }, signal) => {
      const published = mutex(async () => {
        const { publishBriefing } = await import("../../sharing/briefings/publish-briefing.ts");
        return publishBriefing(request, { catalog, frames, mapFile, signal, onProgress: progress });
      });
      return { ended: published.then(toPublishedWords) };
    },
  });
}

function findZone({ gateway }: BriefingActionParts) {
  return gateway()?.zones.find(({ origin }) => origin.kind === "briefings");
}

/** Returns the address at which visitors reach the briefings, with a slash at its end. */
function findPublicAddress(parts: BriefingActionParts): string | undefined {
  const zone = findZone(parts);
  return zone && `${zone.publicOrigin}/`;
}

/** Returns the address for a browser on this computer: the listener's own if the zone answers to it. */
function findLocalAddress(parts: BriefingActionParts): string | undefined {
  const zone = findZone(parts);
  return zone?.hosts.includes(loopbackAddress) === true ? parts.gateway()?.origin : zone?.publicOrigin;
}
