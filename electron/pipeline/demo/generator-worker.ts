// The generator worker's entry: receives steps of the demonstration and sends back their files, transferred, not
// copied.
import { parentPort } from "node:worker_threads";
import { createDemonstrationGenerator } from "./demonstration.ts";
import type { DemonstrationFile, DemonstrationStep } from "./demonstration.ts";

if (!parentPort) throw new Error("This is a worker's entry; start it as a worker.");
const port = parentPort;

/** The answer to a step. */
export type GeneratedFiles = readonly DemonstrationFile[];

const generator = createDemonstrationGenerator();
port.on("message", (step: DemonstrationStep) => {
  const files: GeneratedFiles = generator.generate(step).map((file) => ({
    ...file,
    // Small buffers share one, which cannot be transferred.
    bytes: Uint8Array.from(file.bytes),
  }));
  port.postMessage(
    files,
    files.map(({ bytes }) => bytes.buffer as ArrayBuffer),
  );
});
