// Two Echotops on one machine: the second fetches, updates and shows what the first shares, despite interruptions.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../electron/support/host-process.ts";
import { Desk } from "./desk.ts";
import { hasGit } from "./git.ts";
import { openRelay, type Relay } from "./relay.ts";
import { ingestWindows, readEvent } from "../support/storm-files.ts";

const event = "el-reno-2013";

/** The desk that shares. */
let mine: Desk;
/** The desk that fetches. */
let theirs: Desk;
beforeEach(async () => {
  theirs = await new Desk().start();
});
afterEach(() => theirs.remove());

/** The link from the other desk to my hosting. */
async function openLink(remote: string): Promise<{ readonly relay: Relay; readonly address: string }> {
  const relay = await openRelay(mine.hostingPort);
  onTestFinished(() => relay.close());
  return { relay, address: remote.replace(/^http:\/\/127\.0\.0\.1:\d+/, relay.origin) };
}

/** Returns the bytes of an event's own pack, which hardly change during transfer. */
function packBytes({ data }: Desk): number {
  const objects = join(data, "packs", `${event}.git`, "objects");
  return readdirSync(objects, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

async function expectSound({ data }: Desk): Promise<void> {
  const { status, lines, stderr } = await runCommand(["verify", "--data", data]);
  expect(status, stderr).toBe(0);
  // One line: nothing else is left.
  expect(lines).toEqual([expect.objectContaining({ verified: true, faults: 0 })]);
}

describe.skipIf(!hasGit)("two hosts (needs Git)", () => {
  test("one desk shares and updates an event; the other fetches, updates and shows it alone, byte for byte", async () => {
    mine = await new Desk().start();
    onTestFinished(() => mine.remove());
    await ingestWindows(mine.data, event, { first: 0, count: 2 });
    const { address: remote, token } = await mine.shareAndInvite(event);
    const { relay, address } = await openLink(remote);
    const first = await theirs.done(await theirs.act("packs.get", { address, token }));
    expect(first).toBe("The whole pack is here.");
    expect(await readEvent(theirs.origin, event)).toEqual(await readEvent(mine.origin, event));
    const whole = relay.received();

    // A late correction and two new windows follow automatically.
    await ingestWindows(mine.data, event, { first: 0, count: 1, shade: 9 });
    await ingestWindows(mine.data, event, { first: 2, count: 2 });
    await mine.whenShared(event, 5);
    await theirs.done(await theirs.act("packs.getAgain", { eventId: event }));
    const published = await readEvent(mine.origin, event);
    expect(published.size).toBeGreaterThan(12);
    expect(await readEvent(theirs.origin, event)).toEqual(published);
    const added = relay.received() - whole;
    const again = await theirs.done(await theirs.act("packs.getAgain", { eventId: event }));
    expect(again).toBe("Nothing is new since the last time.");
    expect(relay.received() - whole - added).toBeLessThan(added / 4);

    expect(await mine.stop()).toBe(0);
    expect(await theirs.stop()).toBe(0);
    await theirs.start();
    expect(await readEvent(theirs.origin, event)).toEqual(published);
    expect((await theirs.ended(await theirs.act("packs.getAgain", { eventId: event }))).state).toBe("failed");
    expect(await theirs.findPack(event)).toMatchObject({ origin: "got", latestSequence: 5, shared: null });
    await expectSound(theirs);
    const secret = token.split("?")[0]!;
    expect(mine.said + theirs.said).not.toContain(secret);
  });

  describe("a transfer of some megabytes", () => {
    const windows = 9;
    let remote: string;
    let token: string;
    let whole: number;
    beforeAll(async () => {
      mine = await new Desk().start();
      await ingestWindows(mine.data, event, { first: 0, count: windows, isLarge: true });
      ({ address: remote, token } = await mine.shareAndInvite(event));
      whole = packBytes(mine);
      expect(whole).toBeGreaterThan(4 * 1024 * 1024);
    });
    afterAll(() => mine.remove());

    /** Fetches the event over a link that stalls after more than half of it. */
    const getHalf = async () => {
      const { relay, address } = await openLink(remote);
      const held = relay.holdAfter(whole * 0.7);
      const task = await theirs.act("packs.get", { address, token });
      await held;
      return { relay, place: { address, token }, task };
    };
    const expectSame = async (): Promise<void> => {
      const published = await readEvent(mine.origin, event);
      expect(published.size).toBe(3 * windows);
      expect(await readEvent(theirs.origin, event)).toEqual(published);
      await expectSound(theirs);
    };

    test("whose receiver is killed shows nothing incomplete, and continues where it was", async () => {
      const { relay, place } = await getHalf();
      await theirs.kill();
      relay.release();
      const before = relay.received();
      await theirs.start();
      expect((await fetch(`${theirs.origin}/v1/storm-events/${event}/manifest`)).status).toBe(404);
      await expectSound(theirs);
      await theirs.done(await theirs.act("packs.get", place));
      expect(relay.received() - before).toBeLessThan(whole * 0.9);
      await expectSame();
    });

    test("whose sender is killed continues when the sender is back", async () => {
      const { relay, place, task } = await getHalf();
      await mine.kill();
      relay.release();
      const before = relay.received();
      await mine.start();
      // It may have waited long enough; otherwise it fails and is retried.
      const { state } = await theirs.ended(task);
      if (state !== "done") {
        expect(state).toBe("failed");
        expect((await fetch(`${theirs.origin}/v1/storm-events/${event}/manifest`)).status).toBe(404);
        await theirs.done(await theirs.act("packs.get", place));
      }
      expect(relay.received() - before).toBeLessThan(whole * 0.9);
      await expectSame();
    });

    test("that is stopped by hand ends at once and continues when retried", async () => {
      const { relay, place, task } = await getHalf();
      await theirs.act("tasks.stop", { taskId: task.id });
      expect((await theirs.ended(task)).state).toBe("stopped");
      relay.release();
      await theirs.done(await theirs.act("packs.get", place));
      await expectSame();
    });
  });
});
