// A mirror with its own stores in a temporary directory, and the services it follows; all end with the running test.
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { MrmsManifest } from "../../../../shared/contract/manifest.ts";
import type { Catalog, RevisionRecord } from "../../../catalog/catalog.ts";
import { createFrameStore } from "../../../catalog/files/file-frame-store.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import { openCatalog } from "../../../catalog/sqlite/open-catalog.ts";
import { temporaryDirectory } from "../../../catalog/support/drafts.ts";
import { verifyDirectory } from "../../../catalog/verify/verify-directory.ts";
import { createSystemEffects } from "../../../platform/effects.ts";
import { noticeStreamTiming } from "../mirror-limits.ts";
import type { Feed } from "../../feeds/feed.ts";
import { startMirror, type MirrorOptions } from "../start-mirror.ts";
import { ForeignService, type ForeignOptions } from "./foreign-service.ts";

export async function startForeign(options?: ForeignOptions): Promise<ForeignService> {
  const service = await new ForeignService(options).start();
  onTestFinished(() => service.stop());
  return service;
}

export interface Follower {
  readonly mirror: Feed;
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly directory: string;
  /** Lines logged to standard error. */
  readonly said: string[];
  readonly stop: () => Promise<void>;
}

type Changes = Partial<Pick<MirrorOptions, "pollMs" | "keepMs" | "limits" | "streamTiming">> & {
  readonly directory?: string;
};

/**
 * Starts a mirror with its own stores. It polls rarely by default, so that only streams and the first reading count.
 */
export async function follow(url: string, { directory, ...changes }: Changes = {}): Promise<Follower> {
  const root = directory ?? join(await temporaryDirectory(), "data");
  const effects = createSystemEffects();
  const catalog = await openCatalog({ directory: root, now: effects.now });
  const frames = createFrameStore({ directory: root });
  const said: string[] = [];
  const mirror = startMirror({
    url,
    catalog,
    frames,
    effects: { ...effects, log: (_level, message) => said.push(message) },
    pollMs: 60_000,
    backoffMaxMs: 100,
    keepMs: undefined,
    streamTiming: { ...noticeStreamTiming, firstDelayMs: 20, longestDelayMs: 50 },
    ...changes,
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      await mirror.close();
      await catalog.close();
    })());
  onTestFinished(stop);
  return { mirror, catalog, frames, directory: root, said, stop };
}

export const pollOften: Changes = { pollMs: 20 };

export function waitFor(check: () => Promise<void> | void): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 10 });
}

export async function sequencesOf({ catalog }: Follower, eventId: string): Promise<number[]> {
  return (await catalog.listRevisions(eventId, 360)).map(({ sequence }) => sequence);
}

export async function waitForSequences(
  follower: Follower,
  eventId: string,
  expected: readonly number[],
): Promise<void> {
  await waitFor(async () => {
    expect(await sequencesOf(follower, eventId)).toEqual(expected);
  });
}

export function manifestIn(revision: RevisionRecord | undefined): MrmsManifest {
  return MrmsManifest.parse(JSON.parse(Buffer.from(revision!.manifest).toString()));
}

export async function expectSound({ directory, stop }: Follower): Promise<void> {
  await stop();
  const { findings } = await verifyDirectory(directory);
  expect(findings.filter(({ severity }) => severity === "fault")).toEqual([]);
}
