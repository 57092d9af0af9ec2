// Tests that every service passes, on any object store: the command line and two readers, as their users see them.
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { setVariables } from "../../electron/support/environment.ts";
import { runCommand } from "../../electron/support/host-process.ts";
import { StormEventList, type StormEvent } from "../../shared/contract/index.ts";
import { readEvent, writeWindows } from "../support/storm-files.ts";
import { useService, type ObjectsKey } from "./service-trial.ts";

const event = "storm";
const frameCount = 6;

/** Call it inside `describe`. */
export function serviceContract(startObjects?: (folder: string) => Promise<ObjectsKey>): void {
  const service = useService(startObjects);
  let data: string;
  let files: readonly string[];

  beforeAll(async () => {
    data = join(service().folder, "directory");
    mkdirSync(data);
    files = writeWindows(join(service().folder, "files"), { first: 0, count: 3 });
    expect(await service().run("known", event, "--at", "1")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^echotop: .*`catalog\.url` has no catalog yet: run echotop migrate\.\n$/,
      ) as string,
    });
    expect((await service().run("migrate")).lines).toEqual([
      { migrated: true, from: 0, to: expect.any(Number) as number },
    ]);
    expect((await service().run("migrate")).lines[0]).toMatchObject({ migrated: false });
    for (const place of [
      ["--config", service().config],
      ["--data", data],
    ]) {
      expect((await runCommand(["ingest", "--event", event, ...files, ...place])).status).toBe(0);
    }
  });

  test.each([
    ["known", "--at", "3"],
    ["story", "--lon", "-97.95", "--lat", "35.95"],
    ["diff", "--from", "1", "--to", "3"],
    ["swath", "--layer", "mrms-mesh"],
  ])("%s gives the lines that it gives on a directory", async (command, ...args) => {
    const [onService, onDirectory] = await Promise.all([
      service().run(command, event, ...args),
      runCommand([command, event, ...args, "--data", data]),
    ]);
    expect(onService).toMatchObject({ status: 0 });
    expect(onService.lines.length).toBeGreaterThan(0);
    expect(onService.lines.map(withoutTimes)).toEqual(onDirectory.lines.map(withoutTimes));
  });

  test("two readers serve the same bytes and ETags, and announce what a third process adds", async () => {
    const readers = await Promise.all(["one", "two"].map((name) => service().startReader(name)));
    const origins = readers.map(({ origin }) => origin);
    const expectSame = async (): Promise<number> => {
      const [first, second] = await Promise.all(origins.map((origin) => readEvent(origin, event)));
      expect(second).toEqual(first);
      for (const { etag } of first!.values()) expect(etag).toMatch(/^"/);
      const [one, two] = await Promise.all(origins.map(listEvents));
      expect(two).toEqual(one);
      return first!.size;
    };
    const before = await expectSame();
    expect(before).toBeGreaterThan(frameCount);
    const streams = await Promise.all(origins.map(openStream));
    const added = writeWindows(join(service().folder, "more"), { first: 3, count: 1 });
    const { lines } = await service().run("ingest", "--event", event, ...added);
    const last = lines.at(-1)!.revisionId as string;
    for (const stream of streams) {
      await expect.poll(() => stream.announced.at(-1)?.revisionId).toBe(last);
      // A client that was told by one reader also reads it from the other.
      for (const origin of origins) {
        const path = `/v1/storm-events/${event}/revisions/${last}/manifest`;
        expect((await fetch(origin + path)).status).toBe(200);
      }
      stream.close();
    }
    expect(streams[1]!.announced).toEqual(streams[0]!.announced);
    expect(await expectSame()).toBeGreaterThan(before);
  });

  test("archives, registers and replays, and leaves no scratch folder", async () => {
    const { folder, run } = service();
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    onTestFinished(setVariables({ TMPDIR: temporary }));
    expect((await run("register", "--known", "hondo-2021-04-28")).status).toBe(0);
    expect((await run("replay", "--event", event, "--as", "again", "--speed", "1000")).status).toBe(0);
    expect((await run("archive", "--event", "again")).status).toBe(0);
    const [original, again] = await Promise.all(
      [event, "again"].map(async (id) =>
        (await run("known", id, "--at", "2")).lines.map(({ layers }) => layers),
      ),
    );
    expect(again).toEqual(original);
    expect(await run("ingest", "--event", "again", ...files)).toMatchObject({ status: 1 });
    expect(readdirSync(temporary).filter((name) => name.startsWith("echotop"))).toEqual([]);
  });

  test.each([
    [
      "backup",
      ["--to", "copy"],
      2,
      /^echotop: A service is backed up by its database and its bucket; `echotop copy/,
    ],
    ["brief", [event], 2, /^echotop: --out is required with a service/],
  ])("%s says in one line why not", async (command, args, status, line) => {
    const refused = await service().run(command, ...args);
    expect(refused).toMatchObject({ status, lines: [] });
    expect(refused.stderr).toMatch(line);
    expect(refused.stderr.trim().split("\n")).toHaveLength(1);
  });
}

async function listEvents(origin: string): Promise<readonly StormEvent[]> {
  const answer = await fetch(`${origin}/v1/storm-events`);
  return StormEventList.parse(await answer.json()).events;
}

/** The database and the directory publish at different times. */
function withoutTimes(line: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(line).filter(([key]) => key !== "publishedAt"));
}

interface Announcement {
  readonly type: string;
  readonly revisionId?: string;
}

async function openStream(origin: string) {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/v1/storm-events/${event}/stream`);
  const announced: Announcement[] = [];
  socket.on("message", (text: Buffer) => announced.push(JSON.parse(text.toString()) as Announcement));
  await once(socket, "message");
  return {
    announced,
    close: () => {
      socket.close();
    },
  };
}
