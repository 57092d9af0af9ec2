// `echotop verify`: proves a data directory sound, or names each fault; one JSON line a finding, then a summary. With
// `--repair` it makes good what it can, and each line says what was done.
import { renderWorkerUrl } from "../host.ts";
import { repairData, verifyData } from "../tasks.ts";
import { parseCommand, refusePositionals } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import { resolveDataDirectory } from "./data-directory.ts";
import { writeJsonLine, writeNote } from "./output.ts";

export const verify: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, {
    data: { type: "string" },
    repair: { type: "boolean" },
  });
  refusePositionals(positionals);
  const directory = resolveDataDirectory(values.data);
  return values.repair === true ? repairSoundly(directory, context) : verifyOnly(directory, context);
};

async function verifyOnly(directory: string, { effects, signal }: CommandContext): Promise<number> {
  const progress = effects.showProgress("Verifying");
  const report = await verifyData(directory, {
    signal,
    onProgress: (done, total) => {
      progress.update(done, total);
    },
  });
  progress.end();
  for (const finding of report.findings) writeJsonLine(finding);
  const faults = report.findings.filter(({ severity }) => severity === "fault").length;
  writeJsonLine({ verified: faults === 0, faults, ...report.counts });
  return conclude(faults, "named above");
}

async function repairSoundly(directory: string, { effects, signal }: CommandContext): Promise<number> {
  const progress = effects.showProgress("Verifying and repairing");
  try {
    const { counts, faults, repaired, withdrawn } = await repairData(
      { dataDirectory: directory, renderWorkerUrl },
      {
        signal,
        onProgress: (done, total) => {
          progress.update(done, total);
        },
        onFinding: (finding) => {
          progress.end();
          writeJsonLine(finding);
        },
      },
      effects,
    );
    progress.end();
    writeJsonLine({ verified: faults === 0, faults, repaired, withdrawn, ...counts });
    return conclude(faults, 'those above with "repaired":null');
  } catch (error) {
    if (!signal.aborted) throw error;
    writeNote("Interrupted. What was repaired so far stays repaired; the same command goes on from there.");
    return 1;
  } finally {
    progress.end();
  }
}

function conclude(faults: number, which: string): number {
  writeNote(
    faults === 0 ? "The data directory is sound." : `Faults in the data directory: ${faults}, ${which}.`,
  );
  return faults === 0 ? 0 : 1;
}
