// Generating files ahead: in a worker thread, in the main thread, and after the worker fails.
import { describe, expect, test } from "vitest";
import { createDemonstrationGenerator } from "./demonstration.ts";
import type { DemonstrationStep } from "./demonstration.ts";
import { generateAhead } from "./generate-ahead.ts";
import type { GeneratedStep, GenerateOptions } from "./generate-ahead.ts";

const workerUrl = new URL("./generator-worker.ts", import.meta.url);
const steps: readonly DemonstrationStep[] = [
  { window: 14, kind: "observation" },
  { window: 14, kind: "correction" },
  { window: 0, kind: "observation" },
];

async function collect(options: GenerateOptions): Promise<GeneratedStep[]> {
  const made: GeneratedStep[] = [];
  for await (const step of generateAhead(steps, options)) made.push(step);
  return made;
}

/** Bytes as one type, for comparison: workers and the main thread return different ones. */
function toPlain({ step, files }: GeneratedStep): object {
  return { step, files: files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes) })) };
}

describe("generating ahead", () => {
  test("returns the files of each step in order, from a worker or from this thread", async () => {
    const generator = createDemonstrationGenerator();
    const expected = steps.map((step) => toPlain({ step, files: generator.generate(step) }));
    expect((await collect({ workerUrl })).map(toPlain)).toEqual(expected);
    // If the worker cannot be loaded, this thread does the work.
    const missing = new URL("./there-is-no-such-worker.ts", import.meta.url);
    expect((await collect({ workerUrl: missing })).map(toPlain)).toEqual(expected);
  });

  test("ends with the signal's reason", async () => {
    const controller = new AbortController();
    const made: GeneratedStep[] = [];
    const work = async (): Promise<void> => {
      for await (const step of generateAhead(steps, { signal: controller.signal })) {
        made.push(step);
        controller.abort(new Error("enough"));
      }
    };
    await expect(work()).rejects.toThrow("enough");
    expect(made).toHaveLength(1);
  });
});
