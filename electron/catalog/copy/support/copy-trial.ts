// Copies between places of a test.
import { pathToFileURL } from "node:url";
import type { PostgresServer } from "../../../support/engines/postgres-server.ts";
import type { ServiceLocation, StoresLocation } from "../../stores/located-stores.ts";
import { migrateServiceStores } from "../../stores/service-stores.ts";
import { temporaryDirectory } from "../../support/drafts.ts";
import { copyStores, type CopyOptions, type CopyReport } from "../copy-stores.ts";
import { openPlaces, type OpenedPlaces } from "../open-places.ts";
import type { EventCopy } from "../copy-event.ts";

export interface Copied extends CopyReport {
  readonly copies: Readonly<Record<string, EventCopy>>;
  readonly progress: readonly (readonly [done: number, total: number])[];
}

export async function copyOnce(
  from: StoresLocation,
  to: StoresLocation,
  change: (places: OpenedPlaces) => OpenedPlaces = (places) => places,
  options: Partial<CopyOptions> = {},
): Promise<Copied> {
  const places = await openPlaces(from, to);
  const copies: Record<string, EventCopy> = {};
  const progress: (readonly [number, number])[] = [];
  try {
    const report = await copyStores(change(places), {
      onProgress: (done, total) => progress.push([done, total]),
      onEvent: (eventId, copy) => (copies[eventId] = copy),
      ...options,
    });
    return { ...report, copies, progress };
  } finally {
    await places.close();
  }
}

/** Creates a migrated service on a database and a folder of its own, for the running test. */
export async function createServicePlace(server: PostgresServer): Promise<ServiceLocation> {
  const location: ServiceLocation = {
    kind: "service",
    catalogUrl: server.url(await server.createDatabase()),
    objects: { url: pathToFileURL(await temporaryDirectory()).href, endpoint: undefined, pathStyle: false },
    scratchFolder: await temporaryDirectory(),
  };
  await migrateServiceStores(location);
  return location;
}

/** Stops the copy after some writes, as a kill would. */
export function failAfter(writes: number): (places: OpenedPlaces) => OpenedPlaces {
  let left = writes;
  return ({ from, to, close }) => {
    const { writer } = to;
    const count = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (left === 0) throw new Error("killed");
      left -= 1;
      return work();
    };
    return {
      ...{ from, close },
      to: {
        ...to,
        put: (kind, bytes) => count(() => to.put(kind, bytes)),
        writer: {
          writeEvent: (change) => count(() => writer.writeEvent(change)),
          writeAssets: (assets) => count(() => writer.writeAssets(assets)),
          writeLog: (entries) => count(() => writer.writeLog(entries)),
          writeSteps: (row) => count(() => writer.writeSteps(row)),
          writeOverlay: (row) => count(() => writer.writeOverlay(row)),
        },
      },
    };
  };
}
