import { expect, test, vi } from "vitest";
import { closeWithin } from "./shutdown.ts";

test("a close within the limit is awaited", async () => {
  const report = vi.fn();
  expect(await closeWithin(() => Promise.resolve(), 10_000, report)).toBe("closed");
  expect(report).not.toHaveBeenCalled();
});

test("a close that hangs is not awaited beyond the limit", async () => {
  vi.useFakeTimers();
  try {
    const report = vi.fn();
    const ending = closeWithin(() => Promise.withResolvers<never>().promise, 5_000, report);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(report).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await ending).toBe("timed-out");
    expect(report).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test("a close that fails is logged and ends the wait", async () => {
  const report = vi.fn();
  const error = new Error("disk full");
  expect(await closeWithin(() => Promise.reject(error), 10_000, report)).toBe("closed");
  expect(report).toHaveBeenCalledExactlyOnceWith(expect.any(String), { error });
});
