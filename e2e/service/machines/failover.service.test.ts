// A real failover of two machines, played from end to end: a feed publishes, a thousand viewers listen, and the machine
// that takes the writes fails, first its database, then its cable. Prints a log.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askDatabase, listRevisions, untilFollowed, type StoredRevision } from "./ask-database.ts";
import { startCrowd, type Crowd } from "./crowd.ts";
import { FailoverLog } from "./failover-log.ts";
import { exchange, readBlocks } from "./guide.ts";
import type { Machine } from "./site.ts";
import { startSupply, type StormSupply } from "./storm-supply.ts";
import { setUp, startTwoMachines, twoMachinesNeeds, type TwoMachines } from "./two-machines.ts";

const viewers = 1_000;
/** Most time to the first commit: 5 s on processors of one's own. The lease of a lost feed would take longer. */
const mostMs = 10_000;
const patience = { timeout: 120_000, interval: 100 };
const [, promotion] = readBlocks("When a machine is lost");
const [rejoining, together] = readBlocks("When the machine comes back");

describe.skipIf(twoMachinesNeeds !== "")(`a service of two machines that fail${twoMachinesNeeds}`, () => {
  const log = new FailoverLog();
  let two: TwoMachines;
  let crowd: Crowd;
  let supply: StormSupply;

  beforeAll(async () => {
    two = await startTwoMachines();
    await setUp(two);
    log.add("two machines stand as the guide says; db1 takes the writes, db2 confirms them");
    supply = startSupply(two.site.sharedFolder);
    crowd = startCrowd(two.site, viewers, "live");
  }, 300_000);
  afterAll(async () => {
    log.print();
    supply.stop();
    crowd.stop();
    await two.stop();
  });

  /** True if a reader answers at least what the primary had before it was asked. */
  async function isCurrent(reader: Machine, primary: Machine): Promise<boolean> {
    const expected = await askDatabase(primary, "SELECT last_sequence FROM events WHERE id = 'live'");
    const path = "http://192.0.2.12:47800/v1/storm-events/live/manifest";
    const { text } = await reader.run(`curl -s -H 'Host: wx.example' ${path}`);
    return (JSON.parse(text) as { sequence: number }).sequence >= Number(expected);
  }

  async function heardNext(count: number): Promise<void> {
    const before = crowd.heard.size;
    await expect.poll(() => crowd.heard.size, patience).toBeGreaterThanOrEqual(before + count);
  }

  /** Plays the decision to promote, and logs what follows. Returns the time to the first commit. */
  async function promote(block: typeof promotion, survivor: Machine): Promise<number> {
    const decidedMs = Date.now();
    log.add(`DECISION: promote ${survivor.name}`);
    await two.follow(block!);
    log.add(`${survivor.name} takes writes`, Date.now() - decidedMs);
    const findFirst = async (): Promise<StoredRevision | undefined> =>
      (await listRevisions(survivor)).find(({ publishedMs }) => publishedMs > decidedMs);
    await expect.poll(findFirst, patience).toBeDefined();
    const first = (await findFirst())!;
    log.add(`first commit after the decision: revision ${first.sequence}`, first.publishedMs - decidedMs);
    const allMs = await crowd.whenAllHeard(first.sequence);
    log.add(`the last of ${viewers} viewers has it or a newer one`, allMs - decidedMs);
    log.add(`streams that were lost on the way: ${crowd.takeMostLost()} at most at a time`);
    return first.publishedMs - decidedMs;
  }

  /** Checks what was heard against what is stored. */
  async function expectNothingLost(primary: Machine): Promise<void> {
    // A notice that comes during the question may be younger than the answer.
    const heard = [...crowd.heard];
    const stored = await listRevisions(primary);
    expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, at) => at + 1));
    expect(new Set(stored.map(({ observedMs }) => observedMs)).size).toBe(stored.length);
    const lost = heard.filter(
      ([sequence, { revisionId }]) => stored[sequence - 1]?.revisionId !== revisionId,
    );
    expect(lost).toEqual([]);
    expect(crowd.contradictions).toEqual([]);
    log.add(`${stored.length} revisions stored, ${heard.length} were heard: 0 lost, 0 gaps, 0 doubles`);
  }

  /** Shows that a commit of this database waits for somebody who never comes. */
  async function expectUnconfirmed(old: Machine): Promise<void> {
    const change = old.run(
      "cd /tmp; runuser -u postgres -- psql echotop -c 'CREATE TABLE alone (n int)'; touch /run/confirmed",
    );
    const waiting =
      "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'psql'";
    await expect.poll(() => askDatabase(old, waiting), patience).not.toBe("");
    await askDatabase(old, `SELECT pg_cancel_backend(pid) FROM (${waiting}) AS waiting`);
    expect((await change).text).toContain("canceling wait for synchronous replication");
    log.add(`the old database of ${old.name} runs, and confirms nothing alone`);
  }

  async function rejoin(
    old: Machine,
    survivor: Machine,
    blocks: readonly (typeof rejoining)[],
  ): Promise<void> {
    for (const block of blocks) await two.follow(block!);
    await untilFollowed(survivor, old);
    expect(await askDatabase(old, "SELECT pg_is_in_recovery(), to_regclass('alone') IS NULL")).toBe("t|t");
    log.add(
      `${old.name} is back, without what it had not confirmed, and ${survivor.name} waits for it again`,
    );
    await heardNext(3);
  }

  test(
    "the primary is killed: nothing acknowledged is lost, and every viewer goes on",
    { timeout: 300_000 },
    async () => {
      const { db1, db2 } = two;
      await expect.poll(crowd.openStreams, patience).toBe(viewers);
      await heardNext(10);
      log.add(`${viewers} viewers have a stream through haproxy; a feed publishes`);
      crowd.takeMostLost();
      await db1.run("kill -9 $(head -1 /var/lib/postgresql/15/main/postmaster.pid)");
      log.add("KILL -9 of the postmaster on db1");
      expect(await promote(promotion, db2)).toBeLessThan(mostMs);
      await expectNothingLost(db2);
      await db1.run("systemctl start postgresql@15-main");
      await expectUnconfirmed(db1);
      await heardNext(3);
      await rejoin(db1, db2, [rejoining, together]);
      await expectNothingLost(db2);
    },
  );

  test("the machine of the primary is cut off: the same", { timeout: 300_000 }, async () => {
    const { db1, db2 } = two;
    // The feed of the machine that is lost leads.
    await db1.run("systemctl restart echotop@feed");
    await heardNext(3);
    crowd.takeMostLost();
    db2.cut();
    log.add("CABLE of db2 cut: nothing answers, nothing is refused");
    const isUp = `curl -s http://192.0.2.11:47809/metrics | grep '^echotop_catalog_up '`;
    await expect.poll(async () => (await db1.run(isUp)).text, patience).toBe("echotop_catalog_up 0\n");
    log.add("the alert of the guide: a reader without its catalog");
    expect(await promote(exchange(promotion!), db1)).toBeLessThan(mostMs);
    await expectNothingLost(db1);
    await expectUnconfirmed(db2);
    db2.mend();
    const mendedMs = Date.now();
    log.add("cable of db2 mended");
    await expect.poll(() => isCurrent(db2, db1), patience).toBe(true);
    log.add(
      `the reader of db2 has left the old database: ${((Date.now() - mendedMs) / 1_000).toFixed(1)} s later`,
    );
    await rejoin(db2, db1, [rejoining!, together!].map(exchange));
    await expectNothingLost(db1);
  });

  test("in the end, every viewer has the same newest revision", { timeout: 120_000 }, async () => {
    supply.stop();
    const { db1 } = two;
    await expect.poll(async () => (await listRevisions(db1)).length, patience).toBe(supply.count());
    const newest = (await listRevisions(db1)).at(-1)!;
    await crowd.whenAllHeard(newest.sequence);
    const answers = await crowd.readNewest();
    expect(Object.values(answers)).toEqual([viewers]);
    expect(Object.keys(answers)[0]).toContain(newest.revisionId);
    await expectNothingLost(db1);
    log.add(
      `all ${viewers} viewers read revision ${newest.sequence} with one ETag; ${supply.count()} files were written`,
    );
  });
});
