// Two processes of a service run the same feed: one leads, and the other takes over from it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { runCommand, startHost, type RunningHost } from "../../electron/support/host-process.ts";
import { FeedList } from "../../shared/contract/feed-health.ts";
import { MrmsHistory } from "../../shared/contract/index.ts";
import { useService } from "./service-trial.ts";

const startMs = Date.now();

/** Writes a file of hail that was observed some minutes before the test. */
function writeRecent(folder: string, minutes: number): void {
  const observedAt = new Date(startMs - minutes * 60_000).toISOString();
  writeGribFile(folder, { product: "mrms-mesh", observedAt, fill: 20 + minutes });
}

async function isLeading({ admin }: RunningHost): Promise<boolean> {
  const metrics = await fetch(`${admin!}/metrics`);
  return (await metrics.text()).includes("echotop_feed_state{");
}

/** Returns the number of the leader's published revisions, as any reader tells it. */
async function countPublished({ origin }: RunningHost): Promise<number | undefined> {
  const answer = await fetch(`${origin}/app/feeds`);
  return FeedList.parse(await answer.json()).feeds[0]?.counts.published;
}

async function listSequences({ origin }: RunningHost, eventId = "live"): Promise<readonly number[]> {
  const answer = await fetch(`${origin}/v1/storm-events/${eventId}/revisions?limit=360`);
  if (answer.status === 404) return [];
  return MrmsHistory.parse(await answer.json()).frames.map(({ sequence }) => sequence!);
}

/** Starts two processes with the same feed, of which the first leads. */
async function startTwo(folder: string, args: readonly string[]): Promise<[RunningHost, RunningHost]> {
  const start = async (name: string): Promise<RunningHost> => {
    const host = await startHost(join(folder, name), args);
    onTestFinished(() => host.kill());
    return host;
  };
  const leader = await start("first");
  await expect.poll(() => isLeading(leader), { timeout: 10_000 }).toBe(true);
  return [leader, await start("second")];
}

describe.skipIf(!hasPostgres)(`a feed of two processes${postgresNeeds}`, () => {
  const service = useService();

  test("is taken over when the leader is killed, without a gap or a double", async () => {
    const { folder, run, writeConfig } = service();
    await run("migrate");
    const inbox = join(folder, "inbox");
    mkdirSync(inbox);
    for (const minutes of [20, 16]) writeRecent(inbox, minutes);
    const config = writeConfig("feed", {
      feed: { poll_seconds: 1, pair_wait_seconds: 0 },
      admin: { port: 0 },
    });
    const args = ["--config", config, "--feed", `folder:${inbox}`, "--feed-event", "live"];
    const [leader, standby] = await startTwo(folder, args);
    await expect.poll(() => listSequences(standby), { timeout: 20_000 }).toHaveLength(2);
    expect(await isLeading(standby)).toBe(false);
    for (const host of [leader, standby])
      await expect.poll(() => countPublished(host), { timeout: 10_000 }).toBe(2);
    await leader.kill();
    writeRecent(inbox, 12);
    await expect.poll(() => isLeading(standby), { timeout: 30_000 }).toBe(true);
    await expect.poll(() => listSequences(standby), { timeout: 20_000 }).toEqual([1, 2, 3]);
    await expect.poll(() => countPublished(standby), { timeout: 10_000 }).toBe(1);
    expect(standby.stderr()).toBe("");
  });

  test("may be a mirror, which is taken over as well", async () => {
    const { folder, run, writeConfig } = service();
    await run("migrate");
    const config = writeConfig("mirror", { admin: { port: 0 } });
    const inbox = join(folder, "storm-inbox");
    mkdirSync(inbox);
    const remote = join(folder, "remote");
    const ingest = (): Promise<unknown> =>
      runCommand(["ingest", "--data", remote, "--event", "storm", inbox]);
    writeRecent(inbox, 20);
    await ingest();
    const origin = await startHost(remote);
    onTestFinished(() => origin.kill());
    const [leader, standby] = await startTwo(folder, [
      "--config",
      config,
      "--feed",
      `mirror:${origin.origin}`,
    ]);
    await expect.poll(() => listSequences(standby, "storm"), { timeout: 20_000 }).toEqual([1]);
    expect(await isLeading(standby)).toBe(false);
    await leader.kill();
    await expect.poll(() => isLeading(standby), { timeout: 30_000 }).toBe(true);
    writeRecent(inbox, 16);
    await ingest();
    await expect.poll(() => listSequences(standby, "storm"), { timeout: 20_000 }).toEqual([1, 2]);
    expect(standby.stderr()).toBe("");
  });
});
