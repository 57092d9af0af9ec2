// Waiting records: they are written in order, survive a failing disk, and are limited.
import { expect, onTestFinished, test, vi } from "vitest";
import { BatchWriter } from "./batch-writer.ts";
import type { RequestRecord } from "./request-record.ts";
import { eventually, idsOf, makeRecord } from "../support/sample-records.ts";

function createWriter(maxBytes?: number) {
  const state = { isFull: false, written: [] as string[], sizes: [] as number[], said: [] as string[] };
  const writer = new BatchWriter({
    write: (records: readonly RequestRecord[]) => {
      if (state.isFull) throw new Error("disk full");
      state.written.push(...idsOf(records));
      state.sizes.push(records.length);
    },
    log: (level, message) => state.said.push(`${level}: ${message}`),
    ...(maxBytes !== undefined && { maxBytes }),
  });
  onTestFinished(() => writer.close());
  const append = (from: number, to: number): void => {
    for (let n = from; n < to; n++) writer.append(makeRecord(n));
  };
  return { writer, state, append };
}

const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `r${from + n}`);

test("appending writes nothing itself; a full batch is written without waiting, in order and in slices", async () => {
  const { state, append } = createWriter();
  append(0, 1_100);
  expect(state.written).toEqual([]);
  await eventually(() => state.written.length).toBe(1_100);
  expect(state.written).toEqual(ids(0, 1_100));
  expect(Math.max(...state.sizes)).toBeLessThanOrEqual(250);
});

test("a few records wait for the timer and no longer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { state, append } = createWriter();
  append(0, 3);
  vi.advanceTimersByTime(249);
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.written).toEqual([]);
  vi.advanceTimersByTime(1);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(state.written).toEqual(ids(0, 3));
});

test("flushing writes all records appended before, even if several flush at once", async () => {
  const { writer, state, append } = createWriter();
  append(0, 300);
  const first = writer.flush();
  append(300, 400);
  await Promise.all([first, writer.flush()]);
  expect(state.written).toEqual(ids(0, 400));
});

test("records wait while the disk fails, are written afterwards, and each change is reported once", async () => {
  const { writer, state, append } = createWriter();
  state.isFull = true;
  append(0, 10);
  await writer.flush();
  await writer.flush();
  append(10, 700);
  await writer.flush();
  expect(state.written).toEqual([]);
  state.isFull = false;
  await writer.flush();
  expect(state.written).toEqual(ids(0, 700));
  expect(state.said).toEqual([
    "error: The gateway's request records cannot be written: disk full",
    "info: The gateway's request records are written again.",
  ]);
});

test("records beyond the limit are lost, reported at once, and counted at the end", async () => {
  const { writer, state, append } = createWriter(10_000);
  state.isFull = true;
  for (let spell = 0; spell < 2; spell++) {
    append(0, 1_000);
    state.isFull = false;
    await writer.flush();
    expect(state.said).toEqual([
      "error: Request records of the gateway are lost: too many wait to be written.",
      `warn: ${1_000 - state.written.length} request records of the gateway were lost.`,
    ]);
    expect(state.written.length).toBeGreaterThan(10);
    expect(state.written.length).toBeLessThan(50);
    state.said.length = state.written.length = 0;
  }
});

test("closing writes waiting records, and reports those that the disk refused", async () => {
  const sound = createWriter();
  sound.append(0, 5);
  await sound.writer.close();
  expect(sound.state.written).toEqual(ids(0, 5));
  const { writer, state, append } = createWriter();
  append(0, 5);
  state.isFull = true;
  await writer.close();
  append(5, 6);
  await writer.close();
  expect(state.said).toEqual([
    "error: The gateway's request records cannot be written: disk full",
    "warn: 5 request records of the gateway were lost.",
    "warn: 1 request records of the gateway were lost.",
  ]);
});
