// Events with real frames for tests of packs, and the machine's own Git, if installed, as a second opinion.
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import type { Catalog, PublishedLayer } from "../../../catalog/catalog.ts";
import { createFrameStore } from "../../../catalog/files/file-frame-store.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import { openCatalog } from "../../../catalog/sqlite/open-catalog.ts";
import { layerOf, startMs, temporaryDirectory } from "../../../catalog/support/drafts.ts";
import { pictureOf } from "../../../catalog/support/pictures.ts";

export interface TestDesk {
  readonly directory: string;
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly clock: { nowMs: number };
}

/** Opens a data directory for the running test, as one desktop has it. */
export async function openDesk(): Promise<TestDesk> {
  const desk = await openDeskIn(await temporaryDirectory());
  onTestFinished(() => closeDesk(desk));
  return desk;
}

/** Opens the same for longer than one test; the caller closes it and removes the directory. */
export async function openDeskIn(directory: string): Promise<TestDesk> {
  const clock = { nowMs: startMs + 86_400_000 };
  const catalog = await openCatalog({ directory, now: () => new Date(clock.nowMs) });
  return { directory, catalog, frames: createFrameStore({ directory, cacheByteLimit: 0 }), clock };
}

export async function closeDesk({ frames, catalog }: TestDesk): Promise<void> {
  await frames.close();
  await catalog.close();
}

export interface PublishFacts {
  readonly shade: number;
  readonly productId?: PublishedLayer["productId"];
  readonly seconds?: number;
  readonly eventId?: string;
}

/** Publishes one revision with a unique picture, two minutes after the previous one. */
export async function publish(
  { catalog, frames, clock }: TestDesk,
  { shade, productId = "mrms-mesh", seconds = shade * 120, eventId = "plains" }: PublishFacts,
): Promise<void> {
  const frameId = await frames.put(pictureOf(shade));
  clock.nowMs += 120_500;
  const layer = { ...layerOf({ productId, seconds, message: `${productId} ${shade}` }), frameId };
  await catalog.publish({
    event: { id: eventId, label: "Plains, May 2024" },
    layers: [{ ...layer, sourceLastModified: layer.observedAt, sourceSha256: frameId }],
    assetIds: [],
  });
}

const run = promisify(execFile);

export const hasGit = ((): boolean => {
  try {
    execFileSync("git", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Returns standard output of the machine's Git, run without configuration. */
export async function git(directory: string, ...args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
  };
  const { stdout } = await run("git", [...args], { cwd: directory, env, maxBuffer: 64 << 20 });
  return stdout.trim();
}
