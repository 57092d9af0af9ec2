// `echotop backup`: a sound copy of a running directory; one JSON line a fault of the original, then a summary.
import { resolve } from "node:path";
import { backupData } from "../host/jobs/event-jobs.ts";
import { parseCommand, refusePositionals, requireOption } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { showWork, type WorkDisplay } from "./shown-work.ts";

const options = { data: { type: "string" }, to: { type: "string" } } as const;

export const backup: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const from = resolveDataDirectory(values.data);
  const to = resolve(requireOption(values.to, "to"));
  const run = async ({ line, note, progress }: WorkDisplay): Promise<number> => {
    const { faults, ...copied } = await backupData({
      from,
      to,
      signal: context.signal,
      onProgress: progress,
    });
    for (const fault of faults) line(fault);
    line({ backup: to, faults: faults.length, ...copied });
    if (faults.length === 0) return 0;
    note(`Frames that the original lacks, named above: ${faults.length}. Everything else was copied.`);
    return 1;
  };
  return showWork(context, { label: "Copying", whenInterrupted: "Nothing is left of the copy.", run });
};
