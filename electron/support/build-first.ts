// Vitest's setup of whole-program tests: builds what is older than its sources.
import { ensureBuilt } from "../build/ensure-built.ts";

export async function setup(): Promise<void> {
  await ensureBuilt();
}
