import { describe, expect, test } from "vitest";
import { createFeedCounts, type FeedHealth } from "../../../../shared/contract/feed-health.ts";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { startMs } from "../../support/drafts.ts";
import { createServiceTrial } from "../support/service-trial.ts";

const health: FeedHealth = {
  ...{ source: "noaa", eventId: "live", state: "current", linkProblem: null, pendingWindows: 0 },
  ...{
    lastCheckedAt: null,
    lastReachedAt: null,
    nextCheckAt: null,
    products: [],
    counts: createFeedCounts(),
  },
};

describe.skipIf(!hasPostgres)(`reports of feeds${postgresNeeds}`, () => {
  const server = usePostgres();

  test("the health of a feed is known to every node, until its lease ends", async () => {
    const { open, setClock } = await createServiceTrial(server());
    const leader = await open();
    const lease = (await leader.leases.acquire("feed live", "one", 10_000))!;
    expect(await (await open()).feedReports.list()).toEqual([]);
    await leader.feedReports.write(lease, [health]);
    expect(await (await open()).feedReports.list()).toEqual([health]);
    await setClock(startMs + 3_600_000 + 10_001);
    expect(await (await open()).feedReports.list()).toEqual([]);
  });

  test("a leader that was replaced reports nothing", async () => {
    const { open, setClock } = await createServiceTrial(server());
    const [first, second] = [await open(), await open()];
    const lease = (await first.leases.acquire("feed live", "one", 10_000))!;
    await setClock(startMs + 3_600_000 + 10_001);
    const taken = (await second.leases.acquire("feed live", "two", 10_000))!;
    await second.feedReports.write(taken, [health]);
    await first.feedReports.write(lease, [{ ...health, state: "link-down" }]);
    expect(await second.feedReports.list()).toEqual([health]);
  });

  test("a database of the version before has no reports", async () => {
    const { open, database } = await createServiceTrial(server());
    await database.transact("durable", ({ execute }) => execute("ALTER TABLE leases DROP COLUMN report"));
    const { leases, feedReports } = await open();
    const lease = (await leases.acquire("feed live", "one", 10_000))!;
    await expect(feedReports.write(lease, [health])).rejects.toMatchObject({ code: "storage-failed" });
    expect(await feedReports.list()).toEqual([]);
  });
});
