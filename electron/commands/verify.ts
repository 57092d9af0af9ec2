// `echotop verify`: proves a data directory sound, or names each fault; one JSON line a finding, then a summary.
import { verifyData } from "../tasks.ts";
import { parseCommand, refusePositionals } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-directory.ts";
import { writeJsonLine, writeNote } from "./output.ts";

export const verify: Command = async (args, { effects, signal }) => {
  const { values, positionals } = parseCommand(args, { data: { type: "string" } });
  refusePositionals(positionals);
  const progress = effects.showProgress("Verifying");
  const report = await verifyData(resolveDataDirectory(values.data), {
    signal,
    onProgress: (done, total) => {
      progress.update(done, total);
    },
  });
  progress.end();
  for (const finding of report.findings) writeJsonLine(finding);
  const faults = report.findings.filter(({ severity }) => severity === "fault").length;
  writeJsonLine({ verified: faults === 0, faults, ...report.counts });
  writeNote(
    faults === 0 ? "The data directory is sound." : `Faults in the data directory: ${faults}, named above.`,
  );
  return faults === 0 ? 0 : 1;
};
