// Making steps ahead: in a worker thread, in this one, and where the worker cannot be had.
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

describe("generating ahead", () => {
  test("gives the files of each step in order, in a worker as in this thread or without one that starts", async () => {
    const generator = createDemonstrationGenerator();
    const expected = steps.map((step) => ({
      step,
      files: generator.generate(step).map((file) => ({ ...file, bytes: Buffer.from(file.bytes) })),
    }));
    const missing = new URL("./there-is-no-such-worker.ts", import.meta.url);
    for (const options of [{ workerUrl }, {}, { workerUrl: missing }]) {
      const made = await collect(options);
      const comparable = made.map(({ step, files }) => ({
        step,
        files: files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes) })),
      }));
      expect(comparable).toEqual(expected);
    }
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
