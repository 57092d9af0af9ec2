import { describe, expect, test } from "vitest";
import { createPace, type Pace } from "./replay-pace.ts";
import { createVirtualClock, type VirtualClock } from "./support/virtual-clock.ts";

interface Trial {
  readonly clock: VirtualClock;
  readonly pace: Pace;
  readonly stopping: AbortController;
}

function createTrial(speed: number): Trial {
  const clock = createVirtualClock();
  const stopping = new AbortController();
  return { clock, stopping, pace: createPace(speed, clock.effects, stopping.signal) };
}

/** When each of the waits came due, in milliseconds after the trial began. */
async function dueTimes({ clock, pace }: Trial, gapsMs: readonly number[]): Promise<number[]> {
  const startMs = clock.nowMs();
  const due: number[] = [];
  for (const gapMs of gapsMs) {
    await clock.whileAdvancing(pace.wait(gapMs));
    due.push(clock.nowMs() - startMs);
  }
  return due;
}

describe("the pace of a replay", () => {
  test("divides every gap by the speed, and does not wait the first time", async () => {
    expect(await dueTimes(createTrial(10), [0, 120_000, 600, 0, 3_000_000])).toEqual([
      0, 12_000, 12_060, 12_060, 312_060,
    ]);
    expect(await dueTimes(createTrial(0.5), [0, 1000])).toEqual([0, 2000]);
  });

  test("waits longer than a timer can", async () => {
    const monthMs = 30 * 86_400_000;
    const trial = createTrial(1);
    expect(await dueTimes(trial, [0, monthMs])).toEqual([0, monthMs]);
    expect(Math.max(...trial.clock.sleeps())).toBeLessThan(2 ** 31);
  });

  test("makes up for the duration of a publication", async () => {
    const trial = createTrial(10);
    await trial.pace.wait(0);
    trial.clock.jump(300);
    expect(await dueTimes(trial, [10_000])).toEqual([700]);
  });

  test("makes up for a second at most, so that nothing floods after a jump of the clock", async () => {
    const trial = createTrial(1);
    await trial.pace.wait(0);
    trial.clock.jump(3_600_000);
    expect(await dueTimes(trial, [3000, 3000])).toEqual([2000, 5000]);
    trial.clock.jump(-3_600_000);
    expect(await dueTimes(trial, [3000])).toEqual([3000]);
  });

  test("a jump of the clock neither ends nor prolongs a wait", async () => {
    for (const jumpMs of [-7_200_000, 7_200_000]) {
      const trial = createTrial(1);
      const wait = trial.pace.wait(60_000);
      await trial.clock.advance(30_000);
      trial.clock.jump(jumpMs);
      const before = trial.clock.nowMs();
      await trial.clock.whileAdvancing(wait);
      expect(trial.clock.nowMs() - before).toBe(30_000);
    }
  });

  test("a pause keeps the rest of a wait", async () => {
    const trial = createTrial(10);
    const startMs = trial.clock.nowMs();
    const wait = trial.pace.wait(100_000);
    await trial.clock.advance(4000);
    trial.pace.pause();
    await trial.clock.advance(50_000_000);
    expect(trial.pace.isPaused()).toBe(true);
    trial.pace.resume();
    const resumedMs = trial.clock.nowMs();
    await trial.clock.whileAdvancing(wait);
    expect(trial.clock.nowMs() - resumedMs).toBe(6000);
    expect(resumedMs - startMs).toBe(50_004_000);
  });

  test("a pause before the first wait holds it", async () => {
    const trial = createTrial(10);
    trial.pace.pause();
    let due = false;
    const wait = trial.pace.wait(0).then(() => (due = true));
    await trial.clock.advance(10_000);
    expect(due).toBe(false);
    trial.pace.resume();
    await wait;
  });

  test("a new speed applies to the rest of a wait", async () => {
    const trial = createTrial(1);
    const wait = trial.pace.wait(100_000);
    await trial.clock.advance(40_000);
    trial.pace.setSpeed(60);
    const changedMs = trial.clock.nowMs();
    await trial.clock.whileAdvancing(wait);
    expect(trial.clock.nowMs() - changedMs).toBe(1000);
  });

  test("the end of a replay ends its wait, also a paused one", async () => {
    for (const paused of [false, true]) {
      const trial = createTrial(1);
      if (paused) trial.pace.pause();
      const wait = trial.pace.wait(1000);
      const ended = expect(wait).rejects.toThrow("enough");
      trial.stopping.abort(new Error("enough"));
      await ended;
      expect(trial.clock.waiting()).toBe(0);
    }
  });
});
