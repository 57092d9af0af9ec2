// The upgrade of the administrator's guide under load: both machines get the new program, one after the other, on the
// tables of the version before, and then the tables of the new one. No request fails, and no viewer misses a revision.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceMigrations } from "../../../electron/catalog/postgres/schema/service-schema.ts";
import { listRevisions } from "./ask-database.ts";
import { startCrowd, type Crowd } from "./crowd.ts";
import { readBlocks, type GuideBlock } from "./guide.ts";
import { startLoad, type Load } from "./load.ts";
import { startSupply, type StormSupply } from "./storm-supply.ts";
import { setUp, startTwoMachines, twoMachinesNeeds, type TwoMachines } from "./two-machines.ts";

const viewers = 200;
const patience = { timeout: 60_000, interval: 100 };
/** Folder of a built program of the version before. Without it, this program stands in for it. */
const older = process.env.ECHOTOP_OLDER;
const newest = serviceMigrations.at(-1)!.version;
const migration = readBlocks("4. Echotop").find(({ script }) => script.includes("migrate"))!;
const [upgrade] = readBlocks("Upgrade");

/** Keeps the tables of the version before. */
function migrateBefore(block: GuideBlock): GuideBlock {
  const before = "e2e/service/machines/inside/migrate-before.ts /etc/echotop/reader.json";
  return block.script === migration.script
    ? { ...block, script: block.script.replace(/\.vite.*/, before) }
    : block;
}

describe.skipIf(twoMachinesNeeds !== "")(`an upgrade of two machines${twoMachinesNeeds}`, () => {
  let two: TwoMachines;
  let supply: StormSupply;
  let crowd: Crowd;
  let load: Load | undefined;
  beforeAll(async () => {
    two = await startTwoMachines(older);
    supply = startSupply(two.site.sharedFolder);
    await setUp(two, older === undefined ? migrateBefore : undefined);
    crowd = startCrowd(two.site, viewers, "live");
  }, 300_000);
  afterAll(async () => {
    supply.stop();
    crowd.stop();
    load?.stop();
    await two.stop();
  });

  test("costs no request and no revision", { timeout: 400_000 }, async () => {
    await expect.poll(crowd.openStreams, patience).toBe(viewers);
    await expect.poll(() => crowd.heard.size, patience).toBeGreaterThan(2);
    load = startLoad(two.site, "/v1/storm-events/live/manifest");
    await two.follow(upgrade!);
    for (const machine of two.site.machines) {
      const { text } = await machine.run("readlink /proc/$(cat /run/echotop@reader.main)/cwd");
      expect(text).toBe("/opt/echotop-0.2.0\n");
    }
    const heardBefore = crowd.heard.size;
    const logs = await two.db2.run("cat /var/log/echotop@*.log");
    expect(logs.text).not.toContain('"level":"error"');
    expect(await two.follow(migration)).toContain(`{"migrated":true,"from":${newest - 1},"to":${newest}}`);
    await expect.poll(() => crowd.heard.size, patience).toBeGreaterThan(heardBefore + 2);
    supply.stop();
    await expect.poll(async () => (await listRevisions(two.db1)).length, patience).toBe(supply.count());
    await crowd.whenAllHeard(supply.count());
    const outcomes = await load.outcomes();
    expect(Object.keys(outcomes)).toEqual(["200"]);
    expect(outcomes["200"]).toBeGreaterThan(1_000);
    expect(crowd.contradictions).toEqual([]);
  });
});
