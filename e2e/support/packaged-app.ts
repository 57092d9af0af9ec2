// The packaged application and a filled data directory, prepared once for all tests of the calling file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ensureBuilt } from "../../electron/build/ensure-built.ts";
import { prepareDataDirectory } from "../../electron/support/prepared-data.ts";
import { copyPackagedFiles } from "./bundled-main.ts";

export interface PackagedApp {
  /** Folder of the application, without `node_modules`. */
  readonly folder: string;
  /** A data directory for each test to copy. */
  readonly data: string;
}

/** Registers what prepares and removes both folders, which exist from the first test on. */
export function usePackagedApp(): PackagedApp {
  const folder = mkdtempSync(join(tmpdir(), "echotop-app-"));
  const data = mkdtempSync(join(tmpdir(), "echotop-prepared-"));
  beforeAll(async () => {
    await ensureBuilt();
    copyPackagedFiles(folder);
    await prepareDataDirectory(data);
  }, 120_000);
  afterAll(() => {
    for (const made of [folder, data]) rmSync(made, { recursive: true, force: true });
  });
  return { folder, data };
}
