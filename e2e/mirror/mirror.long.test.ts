// Two real hosts, one a mirror of the other: clients see the same, live, without the original, and after either was
// killed at any moment.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { ForeignService } from "../../electron/sources/mirror/support/foreign-service.ts";
import { StreamMessage } from "../../shared/contract/messages.ts";
import { MrmsManifest } from "../../shared/contract/manifest.ts";
import { StormEventList } from "../../shared/contract/storm-event.ts";
import { faultsOf, readAll, readHistory, Workplace, type Station } from "./two-hosts.ts";

/** Host killed in each round, at a random moment. */
const victims = ["mirror", "source", "mirror", "source", "mirror"] as const;
const seed = 20240501;

let place: Workplace;

beforeEach(() => {
  place = new Workplace();
});

afterEach(() => place.close());

function waitFor(check: () => Promise<void> | void): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000, interval: 50 });
}

async function sequencesAt(origin: string, event: string): Promise<number[]> {
  return ((await readHistory(origin, event))?.frames ?? []).map(({ sequence }) => sequence!);
}

async function waitForSequences(station: Station, event: string, expected: readonly number[]): Promise<void> {
  await waitFor(async () => {
    expect(await sequencesAt(station.origin, event)).toEqual(expected);
  });
}

/** Returns the list of events without its time. */
async function readEvents(origin: string): Promise<StormEventList["events"]> {
  const response = await fetch(`${origin}/v1/storm-events`);
  return StormEventList.parse(await response.json()).events;
}

async function expectEqual(source: Station, mirror: Station, event: string): Promise<void> {
  const [theirs, ours] = [await readAll(source.origin, event), await readAll(mirror.origin, event)];
  expect(ours.manifests).toEqual(theirs.manifests);
  expect([...ours.frames.keys()]).toEqual([...theirs.frames.keys()]);
  for (const [path, frame] of theirs.frames) expect(ours.frames.get(path)?.equals(frame)).toBe(true);
}

/** Park and Miller's generator, 0 <= x < 1. */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe("a host that mirrors another", { timeout: 180_000 }, () => {
  test("has the same events, manifests and frames, gets new ones at once, and then works alone", async () => {
    const source = await place.createStation("source");
    for (const window of [0, 1, 2]) await place.ingest(source, "storm", window);
    await place.ingest(source, "storm", 1, { product: "mrms-reflectivity" });
    await place.ingest(source, "storm", 0, { shade: 50 });
    await place.ingest(source, "live", 3, { kind: "operational-feed" });
    await source.start();
    const mirror = await (await place.createMirror("mirror", source.origin)).start();
    await waitForSequences(mirror, "storm", [1, 2, 3, 4, 5]);
    await waitForSequences(mirror, "live", [1]);
    await waitFor(async () => {
      expect(await readEvents(mirror.origin)).toEqual(await readEvents(source.origin));
    });
    await expectEqual(source, mirror, "storm");
    await expectEqual(source, mirror, "live");

    const notices: StreamMessage[] = [];
    const socket = new WebSocket(`${mirror.origin.replace("http", "ws")}/v1/storm-events/storm/stream`);
    socket.on("message", (data: Buffer) => {
      notices.push(StreamMessage.parse(JSON.parse(data.toString("utf8"))));
    });
    await waitFor(() => {
      expect(notices.at(-1)).toMatchObject({ type: "stream.ready", lastRevision: { sequence: 5 } });
    });
    await place.ingest(source, "storm", 3);
    await waitFor(() => {
      expect(notices.at(-1)).toMatchObject({
        type: "storm.revision.ready",
        sequence: 6,
        bounds: [-98, 35.9, -97.8, 36],
      });
    });
    socket.terminate();
    await expectEqual(source, mirror, "storm");

    const before = await readAll(mirror.origin, "storm");
    expect(await source.stop()).toBe(0);
    expect(await mirror.stop()).toBe(0);
    await mirror.start();
    expect(await readAll(mirror.origin, "storm")).toEqual(before);
    expect(await faultsOf(mirror)).toEqual([]);
  });

  test(`converges after ${victims.length} kills of either host at random moments, and both stay sound`, async () => {
    const random = createRandom(seed);
    const source = await (await place.createStation("source")).start();
    const mirror = await (await place.createMirror("mirror", source.origin)).start();
    for (const [round, name] of victims.entries()) {
      const victim = name === "source" ? source : mirror;
      const work = place.ingest(source, "storm", round);
      const reflectivity = place.ingest(source, "storm", round, { product: "mrms-reflectivity" });
      await new Promise((resolve) => setTimeout(resolve, random() * 1_500));
      await victim.kill();
      await Promise.all([work, reflectivity]);
      expect(await faultsOf(victim)).toEqual([]);
      await victim.start();
    }
    const expected = await sequencesAt(source.origin, "storm");
    expect(expected).toEqual(Array.from({ length: 2 * victims.length }, (_, index) => index + 1));
    await waitForSequences(mirror, "storm", expected);
    await expectEqual(source, mirror, "storm");
    await waitFor(async () => {
      expect(await readEvents(mirror.origin)).toEqual(await readEvents(source.origin));
    });
    expect(await faultsOf(source)).toEqual([]);
    expect(await faultsOf(mirror)).toEqual([]);
  });

  test("and is mirrored by it copies nothing back: local events stay local on both hosts", async () => {
    const one = await place.createStation("one");
    await place.ingest(one, "first", 0);
    const other = await place.createMirror("other", one.origin);
    await place.ingest(other, "second", 1);
    await other.start();
    const back = await place.createMirror("back", other.origin);
    await place.ingest(back, "first", 5);
    await one.start();
    await back.start();
    await waitForSequences(other, "first", [1]);
    await waitForSequences(back, "second", [1]);
    await waitFor(() => {
      expect(back.stderr).toContain("was created here");
    });
    const [frame] = (await readHistory(back.origin, "first"))!.frames;
    expect(frame?.observedAt).toBe("2024-05-01T20:10:39Z");
    expect(back.stderr.match(/was created here/g)).toHaveLength(1);
  });
});

describe("a service that is not Echotop", { timeout: 60_000 }, () => {
  test("is mirrored by the host, and its invalid revisions are never shown", async () => {
    const service = await new ForeignService().start();
    try {
      for (const id of ["good", "broken", "torn", "elsewhere"]) {
        service.addEvent({ id, bounds: null });
        service.publish(id, 0, ["mrms-reflectivity", "mrms-mesh"]);
      }
      service.bend = (request, response) => {
        if (request.url === "/v1/storm-events/broken/revisions/R1T0/manifest") {
          response.end('{"schemaVersion":1,"layers":[]}');
        } else if (request.url?.startsWith("/mrms/events/torn/pictures/mrms-mesh") === true) {
          response.end("\u0089PNG\r\n\u001a\nnot a picture");
        } else if (request.url?.startsWith("/v1/storm-events/elsewhere/revisions/") === true) {
          response.writeHead(302, { location: "/v1/storm-events/good/manifest" }).end();
        } else {
          return false;
        }
        return true;
      };
      const mirror = await (await place.createMirror("mirror", service.url)).start();
      await waitForSequences(mirror, "good", [1]);
      service.publish("good", 2, ["mrms-mesh"]);
      await waitForSequences(mirror, "good", [1, 2]);
      await waitFor(() => {
        for (const cause of ["breaks the contract", "not a valid PNG", "redirects to another address"]) {
          expect(mirror.stderr).toContain(cause);
        }
      });
      const { manifests, frames } = await readAll(mirror.origin, "good");
      const [first] = manifests.map((text) => MrmsManifest.parse(JSON.parse(text)));
      expect(first).toMatchObject({
        eventId: "good",
        revisionId: "R1T0",
        sequence: 1,
        attribution: "Somebody else",
      });
      expect(
        [...frames.values()].every((frame) =>
          [...service.frames.values()].some((each) => frame.equals(each)),
        ),
      ).toBe(true);
      for (const id of ["broken", "torn", "elsewhere"]) {
        expect(await sequencesAt(mirror.origin, id)).toEqual([]);
        expect((await fetch(`${mirror.origin}/v1/storm-events/${id}/manifest`)).status).toBe(404);
      }
      await mirror.stop();
      expect(await faultsOf(mirror)).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
