// Repairs of a service on a real database and a folder of objects, which the tests damage.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { AppError } from "../../../../shared/app-error.ts";
import { openDatabase, type Database } from "../../../platform/postgres/database.ts";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { createServicePlace } from "../../copy/support/copy-trial.ts";
import { fillVaried, readEverything, useStores } from "../../copy/support/varied-catalog.ts";
import type { ServiceLocation } from "../../stores/located-stores.ts";
import { findPicture, layerOf } from "../../support/drafts.ts";
import { verifyService } from "../../verify/service/verify-service.ts";
import type { RepairFinding, RepairReport, Redrawn } from "../repair-directory.ts";
import { repairService } from "./repair-service.ts";

/** Draws the frame of a source file of the varied catalog. */
async function redraw(path: string): Promise<Redrawn> {
  const bytes = await readFile(path);
  const [, seconds] = /^source storm (\d+)$/.exec(bytes.toString()) ?? [];
  if (seconds === undefined) throw new AppError("source-invalid", "It is not a source.");
  const { frameId } = layerOf({ seconds: Number(seconds), message: `storm mesh ${seconds}` });
  return { png: findPicture(frameId)!, sha256: sha256Of(bytes) };
}

describe.skipIf(!hasPostgres)(`a repair of a service${postgresNeeds}`, () => {
  const server = usePostgres();

  const start = async (): Promise<{ location: ServiceLocation; database: Database }> => {
    const location = await createServicePlace(server());
    await useStores(location, (stores) => fillVaried(stores, 2));
    const database = await openDatabase({ url: location.catalogUrl, connections: 1 });
    onTestFinished(() => database.close());
    return { location, database };
  };

  const repair = async (
    location: ServiceLocation,
  ): Promise<RepairReport & { readonly findings: readonly RepairFinding[] }> => {
    const findings: RepairFinding[] = [];
    const report = await repairService(location, { redraw, onFinding: (finding) => findings.push(finding) });
    return { ...report, findings };
  };

  const fileOf = async (
    { objects }: ServiceLocation,
    database: Database,
    sha256: string,
  ): Promise<string> => {
    const sql = "SELECT object_key FROM blobs WHERE name = $1";
    const [row] = await database.read<{ object_key: string }>(sql, [sha256]);
    return join(fileURLToPath(objects.url), "objects", row!.object_key);
  };

  test("draws lost and damaged frames again from their source files, so that readers see what they saw", async () => {
    const { location, database } = await start();
    const whole = await readEverything(location);
    const [lost, damaged] = [0, 120].map((seconds) => layerOf({ seconds, message: `storm mesh ${seconds}` }));
    await rm(await fileOf(location, database, lost!.frameId));
    await writeFile(await fileOf(location, database, damaged!.frameId), "Not a frame.");
    const { faults, repaired, withdrawn, findings } = await repair(location);
    expect({ faults, repaired, withdrawn }).toEqual({ faults: 0, repaired: 2, withdrawn: 0 });
    expect(findings.map((finding) => finding.repaired)).toEqual([
      "It was restored from its stored source.",
      "It was restored from its stored source.",
    ]);
    expect(await readEverything(location)).toEqual(whole);
    expect((await verifyService(location)).findings).toEqual([]);
  });

  test("withdraws the revisions of a frame that nothing restores; their sequences stay used", async () => {
    const { location, database } = await start();
    const { frameId } = layerOf({
      ...{ productId: "mrms-reflectivity", seconds: 124, message: "storm dBZ 120" },
    });
    await rm(await fileOf(location, database, frameId));
    const { faults, repaired, withdrawn, findings } = await repair(location);
    expect({ faults, repaired, withdrawn }).toEqual({ faults: 0, repaired: 1, withdrawn: 1 });
    expect(findings[0]!.repaired).toBe(
      "It cannot be restored; the revisions that showed it were withdrawn: event storm, sequence 2.",
    );
    expect((await verifyService(location)).findings).toEqual([]);
    await useStores(location, async ({ catalog }) => {
      const sequences = (await catalog.listRevisions("storm", 10)).map(({ sequence }) => sequence);
      expect(sequences).toEqual([1, 3, 4]);
      expect(await catalog.findEvent("storm")).toMatchObject({ latestSequence: 4 });
    });
    expect(await repair(location)).toMatchObject({ repaired: 0, faults: 0 });
  });

  test("reports faults of rows, and leaves them as they are", async () => {
    const { location, database } = await start();
    await database.transact("durable", ({ execute }) =>
      execute("UPDATE events SET last_sequence = 9 WHERE id = 'over'"),
    );
    expect(await repair(location)).toMatchObject({
      ...{ faults: 1, repaired: 0 },
      findings: [{ where: "catalog, event over", repaired: null }],
    });
  });
});
