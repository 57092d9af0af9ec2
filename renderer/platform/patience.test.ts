import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Patience } from "./patience.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function showPage(visibilityState: "visible" | "hidden"): void {
  vi.stubGlobal("document", { visibilityState });
}

test("patience ends after its time", async () => {
  showPage("visible");
  const patience = new Patience(2_000);
  vi.advanceTimersByTime(1_500);
  expect(patience.isOver).toBe(false);
  vi.advanceTimersByTime(500);
  expect(patience.isOver).toBe(true);
  await patience.ended;
});

test("progress starts it over, until it is over", () => {
  showPage("visible");
  const patience = new Patience(2_000);
  vi.advanceTimersByTime(1_500);
  patience.renew();
  vi.advanceTimersByTime(1_500);
  expect(patience.isOver).toBe(false);
  vi.advanceTimersByTime(500);
  patience.renew();
  expect(patience.isOver).toBe(true);
});

test("the time of a hidden page does not count", () => {
  showPage("hidden");
  const patience = new Patience(2_000);
  vi.advanceTimersByTime(60_000);
  expect(patience.isOver).toBe(false);
  showPage("visible");
  vi.advanceTimersByTime(2_000);
  expect(patience.isOver).toBe(true);
});

test("a tick that a busy page runs late counts once", () => {
  showPage("visible");
  const patience = new Patience(2_000);
  // Timers that are due while the page is busy run once afterwards.
  vi.advanceTimersToNextTimer();
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersToNextTimer();
  expect(patience.isOver).toBe(false);
});

test("one that was stopped never ends", () => {
  showPage("visible");
  const patience = new Patience(2_000);
  patience.stop();
  vi.advanceTimersByTime(60_000);
  expect(patience.isOver).toBe(false);
});
