// The generator worker's entry: one step of the demonstration at a time, its files back. Their bytes are handed over, not copied.
import { parentPort } from "node:worker_threads";
import { createDemonstrationGenerator } from "./demonstration.ts";
import type { DemonstrationFile, DemonstrationStep } from "./demonstration.ts";

if (!parentPort) throw new Error("This is a worker's entry; it does nothing by itself.");
const port = parentPort;

/** What the worker answers to a step. */
export type GeneratedFiles = readonly DemonstrationFile[];

const generator = createDemonstrationGenerator();
port.on("message", (step: DemonstrationStep) => {
  const files: GeneratedFiles = generator.generate(step).map((file) => ({
    ...file,
    // Small buffers are slices of a shared one, which cannot be handed over.
    bytes: Uint8Array.from(file.bytes),
  }));
  port.postMessage(
    files,
    files.map(({ bytes }) => bytes.buffer as ArrayBuffer),
  );
});
