// `echotop backup`: copies a data directory, also while others write to it.
import { resolve } from "node:path";
import { Command, Option } from "@commander-js/extra-typings";
import type { DefineCommand } from "./command.ts";
import { example, UsageError } from "./option-values.ts";
import { showWork } from "./shown-work.ts";
import { configOption, onDirectory, storesOption } from "./stores-option.ts";

export const backup: DefineCommand = (submit) =>
  new Command("backup")
    .summary("copy a data directory that is in use")
    .description(
      "Copies a data directory consistently, also while others write to it. Prints one JSON line for each fault of the original, then a summary. Copies neither hosted repositories nor briefings nor the gateway's settings and log.",
    )
    .addOption(
      new Option("--to <dir>", "folder for the copy; must be empty or missing")
        .argParser(parseTarget)
        .makeOptionMandatory(),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("backup --to /mnt/backup/echotop"))
    .action(({ to, ...options }) => {
      submit(
        onDirectory(
          options,
          "A service is backed up by its database and its bucket; `echotop copy CONFIG DIR` copies it to a data directory.",
          (context) =>
            showWork(context, {
              label: "Copying",
              whenInterrupted: "Nothing is left of the copy.",
              run: async ({ line, note, progress }) => {
                const { backupDirectory } = await import("../catalog/backup/backup-directory.ts");
                const { signal } = context;
                const { faults, ...counts } = await backupDirectory({
                  from: context.folder,
                  to,
                  signal,
                  onProgress: progress,
                });
                for (const fault of faults) line(fault);
                line({ backup: to, faults: faults.length, ...counts });
                if (faults.length === 0) return 0;
                note(
                  `Frames missing from the original, listed above: ${faults.length}. Everything else was copied.`,
                );
                return 1;
              },
            }),
        ),
      );
    });

/** An empty path would be the current folder. */
function parseTarget(text: string): string {
  if (text === "") throw new UsageError("--to is empty; it takes a folder.");
  return resolve(text);
}
