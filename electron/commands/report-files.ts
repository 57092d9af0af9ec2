// Reads the files of `echotop reports`.
import { readFile, stat } from "node:fs/promises";
import { isAppError } from "../../shared/app-error.ts";
import { overlayLimits } from "../../shared/overlays/overlay.ts";
import { readReports } from "../../shared/reports/read-reports.ts";
import type { StormReport } from "../../shared/reports/storm-report.ts";
import { toFileFault } from "./file-fault.ts";

export interface ReportFiles {
  /** Reports of hail, in the order of the files and their rows. */
  readonly hail: readonly StormReport[];
  /** A sentence for each file that cannot be read; it begins with the file's name. */
  readonly problems: readonly string[];
}

export async function readReportFiles(files: readonly string[]): Promise<ReportFiles> {
  const problems: string[] = [];
  const hail: StormReport[] = [];
  for (const file of files) {
    try {
      hail.push(...readReports(await readText(file), file).filter(({ kind }) => kind === "hail"));
    } catch (error) {
      problems.push(isAppError(error) ? error.detail : `${file}: ${toFileFault(error)}.`);
    }
  }
  return { hail, problems };
}

async function readText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > overlayLimits.bytes) throw new Error(`it is larger than ${overlayLimits.bytes / 2 ** 20} MB`);
  const bytes = await readFile(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("it is not text in UTF-8", { cause });
  }
}
