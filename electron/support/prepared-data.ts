// A data directory with one small event, for tests of the application without the demonstration.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atDirectory } from "../catalog/stores/located-stores.ts";
import { createSystemEffects } from "../platform/effects.ts";
import { programFiles } from "../host/config/program-files.ts";
import { ingestInto } from "../host/jobs/ingest-into.ts";
import { writeGribFile } from "./grib-files.ts";

export const preparedEventId = "prepared";

/** Creates the directory with one revision of one layer through the real ingest. */
export async function prepareDataDirectory(dataDirectory: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "echotop-prepared-"));
  const failures: string[] = [];
  try {
    const path = writeGribFile(folder, {
      product: "mrms-mesh",
      observedAt: "2024-05-20T22:00:40Z",
      fill: 30,
    });
    await ingestInto(
      { location: atDirectory(dataDirectory), renderWorkerUrl: programFiles.renderWorkerUrl },
      {
        paths: [path],
        event: { id: preparedEventId },
        keepsSources: true,
        signal: new AbortController().signal,
        onFile: (file) => {
          if (file.status === "failed") failures.push(file.error);
        },
        onProgress: () => undefined,
      },
      {
        ...createSystemEffects(),
        log: () => undefined,
        showProgress: () => ({ update: () => undefined, end: () => undefined }),
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (failures.length > 0) throw new Error(failures.join("\n"));
}
