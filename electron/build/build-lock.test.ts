import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withLock } from "./build-lock.ts";

let folder: string;
let lockPath: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "echotop-lock-"));
  lockPath = join(folder, "deep", "build.lock");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a process that takes the lock and keeps it until it is killed. */
async function spawnHolder(): Promise<ChildProcess> {
  const module = fileURLToPath(new URL("build-lock.ts", import.meta.url));
  const script = `
    import { withLock } from ${JSON.stringify(module)};
    await withLock(${JSON.stringify(lockPath)}, { limitMs: 0, onWait() {} }, () => {
      process.stdout.write("taken");
      return new Promise(() => setInterval(() => {}, 1000));
    });`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

test("the work runs under the lock and returns its result; then the lock is free", async () => {
  const onWait = vi.fn();
  expect(await withLock(lockPath, { limitMs: 0, onWait }, () => Promise.resolve(1))).toBe(1);
  expect(await withLock(lockPath, { limitMs: 0, onWait }, () => Promise.resolve(2))).toBe(2);
  expect(onWait).not.toHaveBeenCalled();
});

test("a failure of the work passes through and frees the lock", async () => {
  const onWait = vi.fn();
  const failing = withLock(lockPath, { limitMs: 0, onWait }, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  await withLock(lockPath, { limitMs: 0, onWait }, () => Promise.resolve());
  expect(onWait).not.toHaveBeenCalled();
});

test("waiting for another process ends after the limit", async () => {
  const holder = await spawnHolder();
  const onWait = vi.fn();
  const work = vi.fn(() => Promise.resolve());
  try {
    await expect(withLock(lockPath, { limitMs: 50, onWait }, work)).rejects.toMatchObject({
      code: "conflict",
    });
    expect(onWait).toHaveBeenCalledOnce();
    expect(work).not.toHaveBeenCalled();
  } finally {
    holder.kill("SIGKILL");
    await once(holder, "exit");
  }
});

test("a killed holder releases the lock", async () => {
  const holder = await spawnHolder();
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const onWait = vi.fn();
  await withLock(lockPath, { limitMs: 0, onWait }, () => Promise.resolve());
  expect(onWait).not.toHaveBeenCalled();
});
