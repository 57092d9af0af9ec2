import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import type { UpdateMode, UpdateState } from "../../../shared/contract/desktop.ts";
import type { PackageUpdater } from "./package-updater.ts";
import { watchUpdates } from "./update-watch.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const available: UpdateState = { step: "available", version: "0.2.0", canInstall: true };
const ready: UpdateState = { step: "ready", version: "0.2.0" };

function setUp(
  mode: UpdateMode,
  { canInstall = true, ...change }: Partial<PackageUpdater & { canInstall: boolean }> = {},
) {
  const updater = {
    check: vi.fn(change.check ?? (() => Promise.resolve("0.2.0"))),
    download: vi.fn(change.download ?? (() => Promise.resolve())),
    install: vi.fn(change.install ?? (() => Promise.resolve())),
  };
  const steps: string[] = [];
  const watch = watchUpdates({
    open: () => Promise.resolve(updater),
    ...{ canInstall, mode },
    onChange: ({ step }) => steps.push(step),
    report: vi.fn(),
  });
  return { updater, steps, watch };
}

test("the first check is soon after the start, the others are twice a day, and none is made when off", async () => {
  const { updater, watch } = setUp("notify");
  await vi.advanceTimersByTimeAsync(29_000);
  expect(updater.check).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(updater.check).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(updater.check).toHaveBeenCalledTimes(3);
  watch.setMode("off");
  await vi.advanceTimersByTimeAsync(48 * 3_600_000);
  expect(updater.check).toHaveBeenCalledTimes(3);
  expect(updater.download).not.toHaveBeenCalled();
});

test("in mode install a newer version is loaded, and installed at the end", async () => {
  const { updater, steps, watch } = setUp("install");
  expect(await watch.check()).toEqual(ready);
  expect(steps).toEqual(["checking", "available", "downloading", "ready"]);
  expect(await watch.check()).toEqual(ready);
  expect(updater.check).toHaveBeenCalledTimes(1);
  expect(updater.install).not.toHaveBeenCalled();
  await watch.finish();
  expect(updater.install).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(updater.check).toHaveBeenCalledTimes(1);
});

test("in mode notify only the person loads it", async () => {
  const { updater, watch } = setUp("notify");
  expect(await watch.check()).toEqual(available);
  expect(updater.download).not.toHaveBeenCalled();
  expect(await watch.install()).toEqual(ready);
  await watch.finish();
  expect(updater.install).toHaveBeenCalledTimes(1);
});

test("another package than ours is only told of", async () => {
  const { updater, watch } = setUp("install", { canInstall: false });
  expect(await watch.check()).toEqual({ ...available, canInstall: false });
  await watch.install();
  await watch.finish();
  expect([updater.download.mock.calls, updater.install.mock.calls]).toEqual([[], []]);
});

test("turning updates off forgets one that is ready, or that is being loaded", async () => {
  const first = setUp("install");
  await first.watch.check();
  first.watch.setMode("off");
  await first.watch.finish();
  expect(first.updater.install).not.toHaveBeenCalled();

  const { promise, resolve } = Promise.withResolvers<undefined>();
  const second = setUp("install", { download: async () => promise });
  const checking = second.watch.check();
  await vi.waitFor(() => {
    expect(second.watch.state().step).toBe("downloading");
  });
  second.watch.setMode("off");
  resolve(undefined);
  expect(await checking).toEqual({ step: "unknown" });
  await second.watch.finish();
  expect(second.updater.install).not.toHaveBeenCalled();
});

test("a failure is one sentence, installs nothing, and the next check may succeed", async () => {
  const download = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new AppError("source-invalid", "It is damaged."))
    .mockRejectedValueOnce(Object.assign(new Error("write"), { code: "ENOSPC" }))
    .mockRejectedValueOnce(new TypeError("undefined is not a function"))
    .mockResolvedValue();
  const { updater, watch } = setUp("install", { download });
  expect(await watch.check()).toEqual({ step: "failed", sentence: "It is damaged." });
  const full = "The update could not be stored: the disk is full.";
  expect(await watch.check()).toEqual({ step: "failed", sentence: full });
  const { sentence } = (await watch.check()) as Extract<UpdateState, { step: "failed" }>;
  expect(sentence).toBe("The update failed for an unknown reason; see the log.");
  expect(await watch.check()).toEqual(ready);
  expect(updater.install).not.toHaveBeenCalled();
});

test("an installation that fails does not keep the application from ending", async () => {
  const { watch } = setUp("install", { install: () => Promise.reject(new Error("The disk is full.")) });
  await watch.check();
  await expect(watch.finish()).resolves.toBeUndefined();
});
