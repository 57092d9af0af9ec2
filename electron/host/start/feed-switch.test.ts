import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { createDispatch } from "../../../shared/actions/dispatch.ts";
import type { LiveActionName } from "../../../shared/contract/action-names.ts";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { openStores } from "../../catalog/stores/open-stores.ts";
import { atDirectory } from "../../catalog/stores/located-stores.ts";
import { createSystemEffects } from "../../platform/effects.ts";
import { defaultFeedTiming, type FeedConfig } from "../../sources/feeds/feed-config.ts";
import type { Feed } from "../../sources/feeds/feed.ts";
import { createLiveActions } from "../actions/live-actions.ts";
import { toDefaultConfig } from "../config/host-config.ts";
import { programFiles } from "../config/program-files.ts";
import { openSettings, type SettingsFile } from "../config/settings.ts";
import { openFeedSwitch, type FeedSwitch, type FeedSwitchOptions } from "./feed-switch.ts";
import { startConfiguredFeed } from "./start-configured-feed.ts";
import { makeDirectory } from "./support/switched-parts.ts";

const off = { status: "off", source: null, eventId: null, problem: null, isConfigured: false };
const noaa = { ...off, status: "on", source: "noaa", eventId: "conus-live" };

const stopped = { ...noaa, status: "off" };

interface Trial {
  readonly directory: string;
  /** Starts and ends of feeds, in order: `start noaa`, `stop noaa`. */
  readonly story: string[];
  /** Opens the switch as a new run of the host does. */
  readonly open: (changes?: Partial<FeedSwitchOptions>) => Promise<FeedSwitch>;
}

async function setUp(): Promise<Trial> {
  const directory = await makeDirectory();
  const story: string[] = [];
  const startFeed = ({ source, eventId }: FeedConfig): Promise<Feed> => {
    story.push(`start ${source.kind}`);
    return Promise.resolve({
      health: () => [{ eventId } as FeedHealth],
      close: () => {
        story.push(`stop ${source.kind}`);
        return Promise.resolve();
      },
    });
  };
  return {
    directory,
    story,
    open: async (changes = {}) => {
      const settings = await openSettings(directory);
      const live = await openFeedSwitch({
        config: { resumesLive: true },
        ...{ settings, startFeed, log: vi.fn(), ...changes },
      });
      onTestFinished(() => live.close());
      return live;
    },
  };
}

test("a feed that was started runs again in the next run, until it is stopped", async () => {
  const { open, story } = await setUp();
  const first = await open();
  expect([first.state(), first.health()]).toEqual([off, []]);
  expect(await first.start("noaa")).toEqual(noaa);
  expect(await first.start("noaa")).toEqual(noaa);
  expect(first.health()).toMatchObject([{ eventId: "conus-live" }]);
  await first.close();
  const second = await open();
  expect(second.state()).toEqual(noaa);
  expect(await second.stop()).toEqual(stopped);
  expect(second.health()).toEqual([]);
  await second.close();
  expect((await open()).state()).toEqual(stopped);
  expect(story).toEqual(["start noaa", "stop noaa", "start noaa", "stop noaa"]);
});

test("another source ends the feed before; each source fills its own event", async () => {
  const { open, story } = await setUp();
  const live = await open();
  await live.start("noaa");
  expect(await live.start("folder:/data/Radar feed")).toMatchObject({
    eventId: expect.stringMatching(/^live-radar-feed-/) as string,
  });
  expect(await live.start("bucket:https://mrms.example/copy")).toMatchObject({
    eventId: expect.stringMatching(/^live-mrms-example-/) as string,
  });
  expect(await live.start("mirror:http://desk.example:47800")).toMatchObject({ status: "on", eventId: null });
  expect(story).toEqual([
    ...["start noaa", "stop noaa", "start folder", "stop folder"],
    ...["start bucket", "stop bucket", "start mirror"],
  ]);
});

test("a service does not start the feed of the settings", async () => {
  const { open, story } = await setUp();
  const app = await open();
  await app.start("noaa");
  await app.close();
  const service = await open({ config: { resumesLive: false } });
  expect(service.state()).toEqual(stopped);
  expect(story).toEqual(["start noaa", "stop noaa"]);
});

test("a feed of the command line cannot be changed", async () => {
  const { open } = await setUp();
  const feed = { source: { kind: "noaa" }, eventId: "own", timing: defaultFeedTiming } as const;
  const live = await open({ config: { feed, resumesLive: true } });
  const state = { ...noaa, source: null, eventId: "own", isConfigured: true };
  expect(live.state()).toEqual(state);
  for (const change of [live.start("noaa"), live.stop()])
    await expect(change).rejects.toMatchObject({ code: "conflict" });
  expect(live.state()).toEqual(state);
});

test("a feed that cannot start again is a state with its reason, and a failed choice is not remembered", async () => {
  const { open } = await setUp();
  const app = await open();
  await app.start("noaa");
  await app.close();
  const refuse = (): Promise<Feed> => Promise.reject(new AppError("conflict", "It is taken."));
  const live = await open({ startFeed: refuse });
  expect(live.state()).toEqual({ ...stopped, status: "failed", problem: "It is taken." });
  await expect(live.start("mirror:http://desk.example/")).rejects.toMatchObject({ code: "conflict" });
  expect(live.state()).toEqual({ ...off, source: "mirror:http://desk.example/" });
  await live.close();
  expect((await open()).state()).toMatchObject({ status: "off" });
});

test("a source that cannot start leaves the one before in place, also for the next run", async () => {
  const { open, story, directory } = await setUp();
  const settings = await openSettings(directory);
  let isTaken = false;
  const startFeed = ({ source }: FeedConfig): Promise<Feed> => {
    if (isTaken || source.kind === "mirror") return Promise.reject(new AppError("conflict", "It is taken."));
    return Promise.resolve({ health: () => [], close: () => Promise.resolve() });
  };
  const live = await open({ settings, startFeed });
  await live.start("noaa");
  await expect(live.start("mirror:http://desk.example/")).rejects.toMatchObject({ code: "conflict" });
  expect(live.state()).toEqual(noaa);
  isTaken = true;
  await expect(live.start("mirror:http://desk.example/")).rejects.toMatchObject({ code: "conflict" });
  expect(live.state()).toEqual({ ...stopped, status: "failed", problem: "It is taken." });
  await live.close();
  expect((await open()).state()).toEqual(noaa);
  expect(story).toEqual(["start noaa"]);
});

test("no feed runs whose choice could not be saved, and a full disk does not keep one running", async () => {
  const { open, story, directory } = await setUp();
  const file = await openSettings(directory);
  let savesLeft = Infinity;
  const settings: SettingsFile = {
    current: file.current,
    change: (difference) => {
      savesLeft -= 1;
      return savesLeft < 0
        ? Promise.reject(new AppError("storage-failed", "The disk is full."))
        : file.change(difference);
    },
  };
  const live = await open({ settings });
  savesLeft = 1;
  await expect(live.start("noaa")).rejects.toMatchObject({ code: "storage-failed" });
  expect(live.state()).toEqual(stopped);
  savesLeft = Infinity;
  await live.start("noaa");
  savesLeft = 0;
  await expect(live.stop()).rejects.toMatchObject({ code: "storage-failed" });
  expect([live.state(), live.health()]).toEqual([stopped, []]);
  expect(story).toEqual(["start noaa", "stop noaa", "start noaa", "stop noaa"]);
});

test("a stored source that this system cannot have is a state with its reason", async () => {
  const { directory, open } = await setUp();
  const settings = await openSettings(directory);
  await settings.change({ live: { source: "folder:mrms", on: true } });
  const live = await open();
  expect(live.state()).toMatchObject({ status: "failed", source: "folder:mrms", eventId: null });
  expect(await live.stop()).toEqual({ ...off, source: "folder:mrms" });
});

test("a wrong source is refused with a sentence, and changes nothing", async () => {
  const { open, directory, story } = await setUp();
  const live = await open();
  const dispatch = createDispatch<LiveActionName>({ handlers: createLiveActions(live), report: vi.fn() });
  const problemOf = (source: string): Promise<unknown> => dispatch("live.start", { source });
  const say = (words: string) => ({
    problem: { code: "invalid-input", detail: expect.stringContaining(words) as string },
  });
  expect(await problemOf(`folder:${join(directory, "absent")}`)).toEqual(say("no such folder"));
  expect(await problemOf("folder:feed")).toEqual(say("full path"));
  expect(await problemOf(`folder:${import.meta.filename}`)).toEqual(say("This is a file"));
  expect(await problemOf("bucket:mrms.example")).toEqual(say("bucket's web address"));
  expect(await problemOf("mirror:desk")).toEqual(say("other Echotop's web address"));
  expect(await problemOf("ftp://host")).toMatchObject({ problem: { code: "invalid-input" } });
  expect(await dispatch("live.read", {})).toEqual({ ok: off });
  expect(story).toEqual([]);
  await mkdir(join(directory, "here"));
  expect(await problemOf(`folder:${join(directory, "here")}`)).toMatchObject({
    ok: { status: "on", eventId: expect.stringMatching(/^live-here-/) as string },
  });
});

test("only one feed fills an event, of all that share the data directory", async () => {
  const directory = await makeDirectory();
  const effects = createSystemEffects();
  const stores = await openStores(atDirectory(directory), effects);
  onTestFinished(() => stores.close());
  const config = toDefaultConfig(directory, programFiles);
  const start = (eventId: string): Promise<Feed> =>
    startConfiguredFeed(
      { source: { kind: "folder", directory }, eventId, timing: defaultFeedTiming },
      config,
      stores,
      effects,
    );
  const first = await start("one");
  await expect(start("one")).rejects.toMatchObject({ code: "conflict" });
  await (await start("two")).close();
  await first.close();
  await (await start("one")).close();
});

test("a feed that cannot start leaves its event free", async () => {
  const directory = await makeDirectory();
  const effects = createSystemEffects();
  const stores = await openStores(atDirectory(directory), effects);
  onTestFinished(() => stores.close());
  const source = { kind: "folder", directory } as const;
  const feed: FeedConfig = { source, eventId: "one", timing: defaultFeedTiming };
  const config = toDefaultConfig(directory, programFiles);
  const failing: Catalog = Object.assign(Object.create(stores.catalog) as Catalog, {
    findEvent: () => Promise.reject(new AppError("storage-failed", "The disk is full.")),
  });
  const start = startConfiguredFeed(feed, config, { ...stores, catalog: failing }, effects);
  await expect(start).rejects.toMatchObject({ code: "storage-failed" });
  await (await startConfiguredFeed(feed, config, stores, effects)).close();
});
