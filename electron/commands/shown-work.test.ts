import { beforeEach, expect, test, vi } from "vitest";
import { createSystemEffects } from "../platform/effects.ts";
import { showWork, type ShownWork } from "./shown-work.ts";

/** Output of the terminal in order, including the end of the bar. */
const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => written.push(String(text)) > 0);
  }
  return () => vi.restoreAllMocks();
});

function show(run: ShownWork["run"], signal = new AbortController().signal): Promise<number> {
  const bar = {
    update: (done: number, total: number) => written.push(`${done}/${total}`),
    end: () => written.push("end"),
  };
  const effects = { ...createSystemEffects(), showProgress: () => bar };
  return showWork({ effects, signal }, { label: "Working", whenInterrupted: "Half is done.", run });
}

test("lines and notes replace the bar, which disappears at the end", async () => {
  const status = await show(({ progress, line, note }) => {
    progress(1, 2);
    line({ file: "a" });
    note("So it is.");
    return Promise.resolve(0);
  });
  expect(status).toBe(0);
  expect(written).toEqual(["1/2", "end", '{"file":"a"}\n', "end", "So it is.\n", "end"]);
});

test("interrupted work reports its state after the bar, and counts as failed", async () => {
  const controller = new AbortController();
  const status = await show(({ progress }) => {
    progress(1, 2);
    controller.abort();
    controller.signal.throwIfAborted();
    return Promise.resolve(0);
  }, controller.signal);
  expect(status).toBe(1);
  expect(written).toEqual(["1/2", "end", "Interrupted. Half is done.\n", "end"]);
});

test("other errors are thrown, and no bar remains", async () => {
  await expect(show(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(written).toEqual(["end"]);
});
