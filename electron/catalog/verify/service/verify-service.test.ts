// A verification of a service on a real database and a folder of objects, which the tests damage.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase, type Database } from "../../../platform/postgres/database.ts";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { createServicePlace } from "../../copy/support/copy-trial.ts";
import { fillVaried, useStores } from "../../copy/support/varied-catalog.ts";
import { createFolderObjectStore } from "../../objects/engines/folder-object-store.ts";
import { createObjectKey } from "../../objects/object-keys.ts";
import type { ObjectStore } from "../../objects/object-store.ts";
import { migrateServiceStores } from "../../stores/service-stores.ts";
import { draftOf, findPicture, hashOf, layerOf } from "../../support/drafts.ts";
import { verifyService } from "./verify-service.ts";

interface DamagedService {
  readonly database: Database;
  readonly objects: ObjectStore;
  /** Returns the key of the object with a hash. */
  readonly keyOf: (sha256: string) => Promise<string>;
  readonly fileOf: (key: string) => string;
  readonly change: (sql: string) => Promise<void>;
  readonly verify: () => ReturnType<typeof verifyService>;
}

describe.skipIf(!hasPostgres)(`a verification of a service${postgresNeeds}`, () => {
  const server = usePostgres();

  const start = async (): Promise<DamagedService> => {
    const location = await createServicePlace(server());
    await useStores(location, (stores) => fillVaried(stores, 2));
    const database = await openDatabase({ url: location.catalogUrl, connections: 1 });
    onTestFinished(() => database.close());
    const folder = fileURLToPath(location.objects.url);
    return {
      database,
      objects: createFolderObjectStore({ folder }),
      keyOf: async (sha256) => {
        const sql = "SELECT object_key FROM blobs WHERE name = $1";
        return (await database.read<{ object_key: string }>(sql, [sha256]))[0]!.object_key;
      },
      fileOf: (key) => join(folder, "objects", key),
      change: (sql) => database.transact("durable", ({ execute }) => execute(sql)),
      verify: () => verifyService(location),
    };
  };

  test("finds nothing in a sound one, and counts what there is", async () => {
    const { verify, database } = await start();
    const progress = await verify();
    expect(progress.findings).toEqual([]);
    const [blobs] = await database.read<{ frames: number; sources: number }>(`
      SELECT count(*) FILTER (WHERE object_key LIKE 'frames/%') AS frames,
        count(*) FILTER (WHERE object_key LIKE 'sources/%') AS sources FROM blobs`);
    expect(progress.counts).toEqual({ events: 6, revisions: 10, ...blobs });
  });

  test("finds nothing in an empty one", async () => {
    const location = await createServicePlace(server());
    await migrateServiceStores(location);
    expect(await verifyService(location)).toEqual({
      findings: [],
      counts: { events: 0, revisions: 0, frames: 0, sources: 0 },
    });
  });

  test("names wrong, lost and orphaned objects, and what shows them", async () => {
    const { verify, keyOf, fileOf, objects } = await start();
    const lost = await keyOf(layerOf({ seconds: 0, message: "storm mesh 0" }).frameId);
    const wrong = await keyOf(layerOf({ seconds: 120, message: "storm mesh 120" }).frameId);
    const source = await keyOf(hashOf("source storm 0"));
    const orphan = createObjectKey("frames", hashOf("nothing"));
    for (const key of [lost, source]) await rm(fileOf(key));
    await writeFile(fileOf(wrong), "Not a frame.");
    await objects.put(orphan, Buffer.from("nothing"));
    const { findings } = await verify();
    const expected = [
      { severity: "fault", where: lost, what: "It is missing, and event again, sequence 1 shows it." },
      { severity: "fault", where: wrong, what: "Its bytes do not match its name." },
      { severity: "note", where: source, what: "It is missing, so it cannot restore a frame." },
      { severity: "note", where: orphan, what: expect.stringMatching(/^No row knows it/) as string },
    ];
    expect(findings.toSorted(byPlace)).toEqual(expected.toSorted(byPlace));
  });

  test("names rows that disagree with their manifests, events and each other", async () => {
    const { verify, change } = await start();
    await change(`
      UPDATE events SET last_sequence = 9 WHERE id = 'over';
      UPDATE revisions SET manifest = 'x' WHERE event_id = 'storm' AND sequence = 1;
      UPDATE revision_layers SET source_url = 'elsewhere' WHERE event_id = 'storm' AND sequence = 2
        AND product_id = 'mrms-mesh'`);
    const { findings } = await verify();
    expect(findings).toEqual([
      {
        severity: "fault",
        where: "catalog, event over",
        what: "Its newest sequence is 1, but its counter is at 9.",
      },
      ...[
        "The manifest's bytes do not match the hash recorded with them.",
        "The manifest violates the contract: it is not JSON in UTF-8.",
      ].map((what) => ({ severity: "fault", where: "catalog, event storm, sequence 1", what })),
      {
        severity: "fault",
        where: "catalog, event storm, sequence 2",
        what: "The manifest and the row differ for mrms-mesh.",
      },
    ]);
  });

  test("is not disturbed by publications and retention", async () => {
    const location = await createServicePlace(server());
    const event = { id: "live", kind: "operational-feed" as const };
    await useStores(location, async ({ catalog, frames }) => {
      const ended = new AbortController();
      const publishing = (async () => {
        for (let window = 0; !ended.signal.aborted; window += 1) {
          const draft = draftOf("live", { seconds: window * 120, message: `live ${window}` });
          await frames.put(findPicture(draft.layers[0]!.frameId)!);
          await catalog.publish({ ...draft, event });
          if (window % 3 === 0) await catalog.prune("live", 240_000);
        }
      })();
      for (let round = 0; round < 3; round += 1) {
        const { findings } = await verifyService(location);
        expect(findings.filter(({ severity }) => severity === "fault")).toEqual([]);
      }
      ended.abort();
      await publishing;
    });
  });
});

function byPlace(left: { readonly where: string }, right: { readonly where: string }): number {
  return left.where < right.where ? -1 : 1;
}
