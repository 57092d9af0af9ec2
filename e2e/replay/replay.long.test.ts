// `echotop replay` next to a running host, seen by a client: what is replayed, when, and after an interrupt.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MrmsHistory } from "../../shared/contract/history.ts";
import { MrmsManifest } from "../../shared/contract/manifest.ts";
import { StormRevisionReady, StreamReady } from "../../shared/contract/messages.ts";
import { toPath } from "../../shared/contract/operations.ts";
import { StormEventList, type StormEvent } from "../../shared/contract/storm-event.ts";
import { TestSocket } from "../../electron/services/storm/support/test-service.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { startCommand } from "./live-command.ts";
import { publications, publishStorm } from "./published-storm.ts";

const original = "plains";
const speed = 4;

let root: string;
let data: string;
let host: RunningHost;

beforeAll(async () => {
  root = makeTemporaryDirectory("replay");
  data = join(root, "data");
  await publishStorm(data, { id: original, label: "Plains" });
  host = await startHost(data);
});
afterAll(async () => {
  await host.stop();
  removeDirectory(root);
});

async function getJson(path: string): Promise<unknown> {
  const response = await fetch(host.origin + path);
  expect(response.status).toBe(200);
  return response.json();
}

async function readHistory(eventId: string): Promise<MrmsHistory> {
  return MrmsHistory.parse(await getJson(`/v1/storm-events/${eventId}/revisions?limit=360`));
}

/** Returns every manifest of an event, in order of publication. */
async function readManifests(eventId: string): Promise<MrmsManifest[]> {
  const { frames } = await readHistory(eventId);
  const paths = frames.map(({ revisionId }) =>
    toPath("getRevisionManifest", { eventId, revisionId: revisionId! }),
  );
  return Promise.all(paths.map(async (path) => MrmsManifest.parse(await getJson(path))));
}

async function readEvent(eventId: string): Promise<StormEvent | undefined> {
  const { events } = StormEventList.parse(await getJson("/v1/storm-events"));
  return events.find(({ id }) => id === eventId);
}

/**
 * Removes what differs between a manifest and its replay: `eventId`, `revisionId` (it may be the same by chance),
 * `generatedAt`, `disclosure`, and the event's part of every `imageUrl`. `sequence` differs only if older revisions of
 * the original are gone.
 */
function toComparable({
  eventId,
  revisionId,
  generatedAt,
  disclosure,
  layers,
  ...same
}: MrmsManifest): unknown {
  expect([eventId, revisionId, generatedAt, disclosure]).not.toContain(undefined);
  const prefix = `/v1/storm-events/${eventId!}/frames/`;
  return {
    ...same,
    layers: layers.map((layer) => {
      expect(layer.imageUrl.startsWith(prefix)).toBe(true);
      return { ...layer, imageUrl: layer.imageUrl.slice(prefix.length) };
    }),
  };
}

async function verify(): Promise<unknown> {
  const { status, lines } = await runCommand(["verify", "--data", data]);
  expect(status).toBe(0);
  return lines.at(-1);
}

describe("a replay next to a running host", () => {
  test("shows a client the same manifests in the same order with proportional gaps", async () => {
    const socket = new TestSocket(`${host.origin.replace("http", "ws")}/v1/storm-events/again/stream`);
    expect(StreamReady.parse(await socket.nextJson()).lastRevision).toBeUndefined();
    const command = runCommand([
      ...["replay", "--data", data, "--event", original, "--as", "again"],
      ...["--speed", String(speed)],
    ]);
    const notices: StormRevisionReady[] = [];
    while (notices.length < publications.length) {
      const notice = StormRevisionReady.parse(await socket.nextJson());
      expect(MrmsManifest.parse(await getJson(notice.manifestUrl)).sequence).toBe(notice.sequence);
      notices.push(notice);
    }
    const { status, lines, stderr } = await command;
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining("Replaying plains as again: about 6 s") as string,
    });

    const [before, after] = [await readManifests(original), await readManifests("again")];
    expect(before).toHaveLength(publications.length);
    expect(after.map(toComparable)).toEqual(before.map(toComparable));
    expect(notices.map(({ sequence }) => sequence)).toEqual(before.map(({ sequence }) => sequence));
    expect(lines).toEqual(
      notices.map(({ revisionId, sequence, observedAt, publishedAt }, index) => ({
        event: "again",
        revisionId,
        sequence,
        observedAt,
        publishedAt,
        of: {
          event: original,
          revisionId: before[index]!.revisionId,
          sequence: before[index]!.sequence,
          publishedAt: before[index]!.generatedAt,
        },
      })),
    );

    // A test machine may pause for a moment; exact gaps are tested on a virtual clock.
    const wanted = offsetsMs(before).map((offset) => offset / speed);
    offsetsMs(after).forEach((offset, index) => {
      expect(offset).toBeGreaterThan(wanted[index]! - 600);
      expect(offset).toBeLessThan(wanted[index]! + 3000);
    });
  });

  test("makes an event that is labeled replay everywhere, with the original's frames", async () => {
    const history = await readHistory("again");
    expect(await readEvent("again")).toMatchObject({
      label: "Plains (replay)",
      kind: "historical-event",
      status: "complete",
    });
    expect(history).toMatchObject({
      eventLabel: "Plains (replay)",
      disclosure: expect.stringMatching(/^REPLAY /) as string,
    });
    for (const { disclosure } of await readManifests("again")) expect(disclosure).toBe(history.disclosure);
    const [shown] = history.frames[0]!.layers;
    const [first] = (await readHistory(original)).frames[0]!.layers;
    const [bytes, firstBytes] = await Promise.all(
      [shown!, first!].map(async ({ imageUrl }) => (await fetch(host.origin + imageUrl)).bytes()),
    );
    expect(bytes).toEqual(firstBytes);
    expect(await verify()).toMatchObject({ verified: true });
  });
});

describe("an interrupted replay", () => {
  test("leaves a sound event, and the same command continues without repeating a revision", async () => {
    const args = ["replay", "--data", data, "--event", original, "--as", "later"];
    const first = startCommand([...args, "--speed", "1"]);
    const seen: unknown[] = [];
    for await (const line of first.lines) {
      seen.push(line);
      // The next revision is 14 seconds away.
      if (seen.length === 3) first.interrupt();
    }
    expect(await first.ended).toEqual({
      status: 1,
      stderr: expect.stringContaining("the same command continues") as string,
    });
    expect(seen).toHaveLength(3);
    expect(await readEvent("later")).toMatchObject({ status: "active" });
    expect(await verify()).toMatchObject({ verified: true });

    const second = await runCommand([...args, "--speed", "1000"]);
    expect(second.status).toBe(0);
    expect([...seen, ...second.lines]).toEqual(
      publications.map(
        (_, index) =>
          expect.objectContaining({
            sequence: index + 1,
            of: expect.objectContaining({ sequence: index + 1 }) as object,
          }) as object,
      ),
    );
    expect((await readManifests("later")).map(toComparable)).toEqual(
      (await readManifests(original)).map(toComparable),
    );
    expect(await readEvent("later")).toMatchObject({ status: "complete" });

    const third = await runCommand(args);
    expect(third).toMatchObject({
      status: 0,
      lines: [],
      stderr: expect.stringContaining("already") as string,
    });
  });
});

test("a replay that is killed repeatedly is complete in the end", { timeout: 60_000 }, async () => {
  const args = ["replay", "--data", data, "--event", original, "--as", "killed", "--speed", "10"];
  let printed = 0;
  for (const run of [1, 2, 3]) {
    const command = startCommand(args);
    for await (const line of command.lines) {
      printed = (line as { sequence: number }).sequence;
      command.kill();
    }
    expect((await command.ended).status).toBeNull();
    const { frames } = await readHistory("killed");
    expect(frames.map(({ sequence }) => sequence)).toEqual(frames.map((_, index) => index + 1));
    expect(frames.length).toBeGreaterThanOrEqual(Math.max(printed, run));
  }
  expect((await runCommand(args)).status).toBe(0);
  expect((await readManifests("killed")).map(toComparable)).toEqual(
    (await readManifests(original)).map(toComparable),
  );
  expect(await verify()).toMatchObject({ verified: true });
});

describe("an invalid replay is refused in a sentence", () => {
  test.each([
    [2, ["--event", original, "--as", original], /--as takes the id of another event/],
    [2, ["--event", original], /--as <id>/],
    [2, ["--event", original, "--as", "x", "--speed", "0"], /--speed takes/],
    [2, ["--event", original, "--as", "x", "--speed", "NaN"], /--speed takes/],
    [2, ["--event", original, "--as", "x", "--speed=-3"], /--speed takes/],
    [2, ["--event", original, "--as", "x", "--max-gap", "soon"], /--max-gap takes seconds/],
    [1, ["--event", "nowhere", "--as", "x"], /There is no event nowhere/],
    [1, ["--event", "again", "--as", original], /is not a replay/],
  ])("with exit status %d: %j", async (status, args, sentence) => {
    const end = await runCommand(["replay", "--data", data, ...args]);
    expect(end).toMatchObject({ status, lines: [] });
    expect(end.stderr).toMatch(sentence);
    expect(end.stderr.trim().split("\n")).toHaveLength(1);
  });

  test("a directory without a catalog stays unchanged", async () => {
    const empty = join(root, "empty");
    const end = await runCommand(["replay", "--data", empty, "--event", original, "--as", "x"]);
    expect(end.status).toBe(1);
    expect(existsSync(empty)).toBe(false);
  });
});

/** Returns the publication times after the first. */
function offsetsMs(manifests: readonly MrmsManifest[]): number[] {
  const atMs = manifests.map(({ generatedAt }) => Date.parse(generatedAt));
  return atMs.map((ms) => ms - atMs[0]!);
}
