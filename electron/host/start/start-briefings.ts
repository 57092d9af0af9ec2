// Puts briefings together: publishing into the folder of the data directory, and where the gateway serves it. Part of the
// composition, as start.ts is.
import type { Catalog } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { listBriefings } from "../../sharing/briefings/list-briefings.ts";
import { toPublishedWords } from "../../sharing/briefings/published-words.ts";
import { loopbackAddress, type HostConfig } from "../config/host-config.ts";
import { briefingsIn } from "../config/data-location.ts";
import type { BriefingServices } from "./start-actions.ts";
import type { RunningGateway } from "./start-gateway.ts";
import { createMutex } from "../../platform/locks/mutex.ts";

/** What is asked of the gateway: where it listens, and in front of what. */
type Front = Pick<RunningGateway, "origin" | "zones">;

export interface BriefingsSources {
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  /** The one that runs; undefined while it is off. */
  readonly gateway: () => Front | undefined;
}

export function startBriefings(
  { dataDirectory, briefingMapFile: mapFile }: Pick<HostConfig, "dataDirectory" | "briefingMapFile">,
  { catalog, frames, gateway }: BriefingsSources,
): BriefingServices {
  const directory = briefingsIn(dataDirectory);
  // The folder has one list of all briefings.
  const mutex = createMutex();
  return {
    listBriefings: async () => {
      const base = toOpenAddress(gateway());
      const briefings = await listBriefings(directory, catalog);
      return briefings.map((briefing) => ({
        ...briefing,
        address: base === undefined ? null : `${base}/${briefing.eventId}/`,
      }));
    },
    beginPublish: ({ eventId, sequences, baseUrl = toPublicAddress(gateway()) }, report, signal) => {
      const published = mutex(async () => {
        const { publishBriefing } = await import("../../sharing/briefings/publish-briefing.ts");
        return publishBriefing(
          { eventId, sequences, baseUrl, directory },
          { catalog, frames, mapFile, signal, onProgress: report.progress },
        );
      });
      return Promise.resolve({ ended: published.then(toPublishedWords) });
    },
  };
}

function findBriefingsZone(gateway: Front | undefined) {
  return gateway?.zones.find(({ origin }) => origin.kind === "briefings");
}

/** Under which address visitors know the briefings, with a slash at its end. */
function toPublicAddress(gateway: Front | undefined): string | undefined {
  const zone = findBriefingsZone(gateway);
  return zone && `${zone.publicOrigin}/`;
}

/** Where a browser of this machine reaches them: the listener itself where it answers to its own address. */
function toOpenAddress(gateway: Front | undefined): string | undefined {
  const zone = findBriefingsZone(gateway);
  return zone?.hosts.includes(loopbackAddress) === true ? gateway?.origin : zone?.publicOrigin;
}
