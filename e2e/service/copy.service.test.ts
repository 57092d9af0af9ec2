// A directory with 2,000 revisions is copied to a service and back, by commands that are killed on the way. Readers of
// all three answer the same bytes.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fillVaried, useStores } from "../../electron/catalog/copy/support/varied-catalog.ts";
import { dataDirectory, frameLocation } from "../../electron/catalog/files/data-directory.ts";
import { atDirectory } from "../../electron/catalog/stores/located-stores.ts";
import { openReadableStores } from "../../electron/catalog/stores/open-stores.ts";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { mapLimited } from "../../electron/platform/locks/limit.ts";
import { sha256Of } from "../../electron/platform/sha256.ts";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { runCommand, startHost } from "../../electron/support/host-process.ts";
import { runKilled } from "../crash/killed-command.ts";
import { useService } from "./service-trial.ts";

const windows = 1_330;
const revisions = 2_000;
const killsEachWay = 4;
const minutes = 60_000;

describe.skipIf(!hasPostgres)(`a copy of ${revisions} revisions${postgresNeeds}`, () => {
  const service = useService();
  const random = createRandom(15);

  /** Runs `copy` with kills at random moments, each of which must leave a sound target, and then to its end. */
  async function copyWithKills(from: string, to: string, verifyArgs: readonly string[]): Promise<void> {
    let kills = 0;
    for (let ms = 0; kills < killsEachWay;) {
      ms = 400 + random() * 3_000;
      const { wasKilled } = await runKilled(["copy", from, to], { lines: 0, ms });
      if (!wasKilled) break;
      kills += 1;
      const { status, lines } = await runCommand(["verify", ...verifyArgs]);
      // A kill may come before the directory has its catalog.
      expect([status, lines.at(-1)]).toEqual([0, expect.objectContaining({ verified: true, faults: 0 })]);
    }
    expect(kills).toBeGreaterThan(1);
    const { status, lines, stderr } = await runCommand(["copy", from, to]);
    expect([status, lines.at(-1)], stderr).toEqual([
      0,
      expect.objectContaining({ differences: 0, faults: 0 }),
    ]);
  }

  test(
    "to a service and back has the same manifests, frames and ETags, whatever was killed",
    async () => {
      const { folder, config, run } = service();
      const [there, back] = [join(folder, "there"), join(folder, "back")];
      await useStores(atDirectory(there), (stores) => fillVaried(stores, windows));
      await withdrawOne(there);
      expect((await run("migrate")).status).toBe(0);
      await copyWithKills(there, config, ["--config", config, "--data", join(folder, "scratch")]);
      mkdirSync(back);
      await copyWithKills(config, back, ["--data", back]);

      const { paths, count } = await listPaths(there);
      expect(count).toBeGreaterThanOrEqual(revisions);
      const reader = await service().startReader("reader");
      const hosts = [await startHost(there), await startHost(back)];
      try {
        const origins = [hosts[0]!.origin, reader.origin, hosts[1]!.origin];
        const [expected, onService, onBack] = await Promise.all(
          origins.map((origin) => mapLimited(paths, 8, (path) => describeAnswer(origin, path))),
        );
        expect(expected!.filter((answer) => !/ 200 (?:W\/)?"/.test(answer))).toEqual([]);
        expect(onService).toEqual(expected);
        expect(onBack).toEqual(expected);
      } finally {
        for (const host of hosts) await host.stop();
      }
      for (const args of [
        ["--config", config],
        ["--data", back],
      ]) {
        expect((await runCommand(["verify", ...args])).lines.at(-1)).toMatchObject({ faults: 0 });
      }
    },
    20 * minutes,
  );
});

/** Loses a frame that no source file restores, so that a repair withdraws its revisions. */
async function withdrawOne(directory: string): Promise<void> {
  const stores = await openReadableStores(atDirectory(directory));
  const revision = (await stores.catalog.findRevisionAfter("storm", 40))!;
  const layers = await stores.catalog.listLayers("storm", revision.revisionId);
  await stores.close();
  const { frameId } = layers.find(({ sourceSha256 }) => sourceSha256 === undefined)!;
  rmSync(frameLocation(dataDirectory(directory).framesFolder, frameId).file);
  const { lines } = await runCommand(["verify", "--repair", "--data", directory]);
  expect(lines.at(-1)).toMatchObject({ faults: 0, withdrawn: 2 });
}

/** Lists the paths of events, lists, all manifests and all frames. */
async function listPaths(directory: string): Promise<{ paths: readonly string[]; count: number }> {
  const stores = await openReadableStores(atDirectory(directory));
  const { catalog } = stores;
  const paths = new Set(["/v1/storm-events", "/v1/storm-events?limit=100"]);
  let count = 0;
  for (const { id } of await catalog.listEvents(1_000)) {
    paths.add(`/v1/storm-events/${id}/revisions?limit=360`);
    for (const { revisionId, manifest } of await catalog.listRevisions(id, 10_000)) {
      count += 1;
      paths.add(`/v1/storm-events/${id}/revisions/${revisionId}/manifest`);
      const { layers } = JSON.parse(Buffer.from(manifest).toString()) as { layers: { imageUrl: string }[] };
      for (const { imageUrl } of layers) paths.add(imageUrl);
    }
  }
  await stores.close();
  return { paths: [...paths], count };
}

/** Lists are compared by their ETag alone: they contain the time of the answer. */
async function describeAnswer(origin: string, path: string): Promise<string> {
  const response = await fetch(`${origin}${path}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const etag = response.headers.get("etag") ?? "";
  return `${path} ${response.status} ${etag} ${etag.startsWith("W/") ? "" : sha256Of(bytes)}`;
}
