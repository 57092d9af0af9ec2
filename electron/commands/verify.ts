// `echotop verify`: proves a data directory sound, or names each fault; one JSON line a finding, then a summary. With
// `--repair` it makes good what it can, and each line says what was done.
import { programFiles } from "../host/config/program-files.ts";
import { repairData } from "../host/jobs/drawing-jobs.ts";
import { verifyData } from "../host/jobs/event-jobs.ts";
import { parseCommand, refusePositionals } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { showWork, type WorkDisplay } from "./shown-work.ts";

export const verify: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, {
    data: { type: "string" },
    repair: { type: "boolean" },
  });
  refusePositionals(positionals);
  const directory = resolveDataDirectory(values.data);
  return values.repair === true ? repairSoundly(directory, context) : verifyOnly(directory, context);
};

function verifyOnly(directory: string, context: CommandContext): Promise<number> {
  const run = async ({ line, note, progress }: WorkDisplay): Promise<number> => {
    const report = await verifyData(directory, { signal: context.signal, onProgress: progress });
    for (const finding of report.findings) line(finding);
    const faults = report.findings.filter(({ severity }) => severity === "fault").length;
    line({ verified: faults === 0, faults, ...report.counts });
    note(toConclusion(faults, "named above"));
    return faults === 0 ? 0 : 1;
  };
  return showWork(context, { label: "Verifying", whenInterrupted: "Nothing was changed.", run });
}

function repairSoundly(directory: string, context: CommandContext): Promise<number> {
  const run = async ({ line, note, progress }: WorkDisplay): Promise<number> => {
    const { counts, faults, repaired, withdrawn } = await repairData(
      { dataDirectory: directory, renderWorkerUrl: programFiles.renderWorkerUrl },
      { signal: context.signal, onProgress: progress, onFinding: line },
      context.effects,
    );
    line({ verified: faults === 0, faults, repaired, withdrawn, ...counts });
    note(toConclusion(faults, 'those above with "repaired":null'));
    return faults === 0 ? 0 : 1;
  };
  const whenInterrupted = "What was repaired so far stays repaired; the same command goes on from there.";
  return showWork(context, { label: "Verifying and repairing", whenInterrupted, run });
}

function toConclusion(faults: number, which: string): string {
  return faults === 0 ? "The data directory is sound." : `Faults in the data directory: ${faults}, ${which}.`;
}
