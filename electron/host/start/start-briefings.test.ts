import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { TaskReport } from "../actions/task-board.ts";
import {
  openBriefingTrial,
  preparedMap,
  removeSharedTrials,
} from "../../sharing/briefings/support/briefing-trial.ts";
import { briefingsIn } from "../config/data-location.ts";
import type { Zone } from "../../services/gateway/zone.ts";
import type { BriefingServices } from "./start-actions.ts";
import { startBriefings } from "./start-briefings.ts";
import type { RunningGateway } from "./start-gateway.ts";

const report: TaskReport = { progress: vi.fn(), say: vi.fn(), claim: vi.fn() };
const origin = "http://127.0.0.1:47802";

type Front = Pick<RunningGateway, "origin" | "zones">;

function inFrontOf(hosts: readonly string[], publicOrigin: string): Front {
  const zone: Zone = {
    id: "z1",
    hosts,
    publicOrigin,
    plan: "pro",
    customMetadata: false,
    origin: { kind: "briefings", directory: "/briefings" },
    customHostnames: [],
    singleRedirects: [],
    bulkRedirects: [],
  };
  return { origin, zones: [{ ...zone, id: "z0", origin: { kind: "http", url: origin } }, zone] };
}

async function setUp() {
  const trial = await openBriefingTrial();
  for (const [id, label] of [
    ["iowa", "Iowa"],
    ["plains", "Plains"],
  ] as const) {
    await trial.add({ id, label }, { minute: 0, values: { "mrms-mesh": 30 } });
  }
  const at: { gateway?: Front | undefined } = {};
  const briefingMapFile = await preparedMap();
  const services = startBriefings(
    { dataDirectory: trial.directory, briefingMapFile },
    { catalog: trial.catalog, frames: trial.frames, gateway: () => at.gateway },
  );
  const pageOf = (eventId: string) =>
    readFile(join(briefingsIn(trial.directory), eventId, "index.html"), "utf8");
  return { services, at, pageOf, directory: briefingsIn(trial.directory) };
}

async function publish(
  { beginPublish }: BriefingServices,
  eventId: string,
  signal = new AbortController().signal,
): Promise<string> {
  return (await beginPublish({ eventId }, report, signal)).ended;
}

// The map is made once.
beforeAll(preparedMap, 60_000);
afterAll(removeSharedTrials);

test("without a gateway links are relative, and nothing serves the pages", async () => {
  const { services, pageOf } = await setUp();
  expect(await services.listBriefings()).toEqual([]);
  expect(await publish(services, "iowa")).toBe("1 revision has its page: 4 files written.");
  expect(await publish(services, "iowa")).toBe(
    "1 revision has its page. Nothing had changed: 4 files are as they were.",
  );
  expect(await pageOf("iowa")).not.toContain(origin);
  expect(await services.listBriefings()).toMatchObject([{ eventId: "iowa", address: null, behind: 0 }]);
});

test("behind a gateway pages know their public address, and are opened where this machine reaches them", async () => {
  const { services, at, pageOf } = await setUp();
  at.gateway = inFrontOf(["brief.example"], "https://brief.example");
  await publish(services, "iowa");
  expect(await pageOf("iowa")).toContain('<link rel="canonical" href="https://brief.example/iowa/">');
  expect(await services.listBriefings()).toMatchObject([{ address: "https://brief.example/iowa/" }]);
  at.gateway = inFrontOf(["127.0.0.1", "brief.example"], "https://brief.example");
  expect(await services.listBriefings()).toMatchObject([{ address: `${origin}/iowa/` }]);
  at.gateway = { origin, zones: at.gateway.zones.slice(0, 1) };
  expect(await services.listBriefings()).toMatchObject([{ address: null }]);
});

test("two events that are published at once are both on the folder's list", async () => {
  const { services, directory } = await setUp();
  await Promise.all([publish(services, "iowa"), publish(services, "plains")]);
  const list = await readFile(join(directory, "index.html"), "utf8");
  expect(list).toContain("Iowa");
  expect(list).toContain("Plains");
});

test("one that is stopped before its turn leaves nothing", async () => {
  const { services } = await setUp();
  const stopping = new AbortController();
  const first = publish(services, "iowa");
  const second = publish(services, "plains", stopping.signal);
  stopping.abort(new Error("stopped"));
  await expect(second).rejects.toThrow("stopped");
  await first;
  expect((await services.listBriefings()).map(({ eventId }) => eventId)).toEqual(["iowa"]);
});
