// `echotop backup`: a sound copy of a running directory; one JSON line a fault of the original, then a summary.
import { resolve } from "node:path";
import { backupData } from "../tasks.ts";
import { parseCommand, refusePositionals, requireOption } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-directory.ts";
import { writeJsonLine, writeNote } from "./output.ts";

const options = { data: { type: "string" }, to: { type: "string" } } as const;

export const backup: Command = async (args, { effects, signal }) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const to = resolve(requireOption(values.to, "to"));
  const progress = effects.showProgress("Copying");
  try {
    const { faults, ...copied } = await backupData({
      from: resolveDataDirectory(values.data),
      to,
      signal,
      onProgress: (done, total) => {
        progress.update(done, total);
      },
    });
    progress.end();
    for (const fault of faults) writeJsonLine(fault);
    writeJsonLine({ backup: to, faults: faults.length, ...copied });
    if (faults.length === 0) return 0;
    writeNote(`Frames that the original lacks, named above: ${faults.length}. Everything else was copied.`);
  } catch (error) {
    if (!signal.aborted) throw error;
    writeNote("Interrupted. Nothing is left of the copy.");
  } finally {
    progress.end();
  }
  return 1;
};
