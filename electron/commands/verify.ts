// `echotop verify`: checks a data directory and, with `--repair`, repairs it.
import { Command } from "@commander-js/extra-typings";
import type { RenderPool } from "../pipeline/ingest/render-pool.ts";
import { programFiles } from "../host/config/program-files.ts";
import type { DefineCommand, WorkContext } from "./command.ts";
import { example } from "./option-values.ts";
import { showWork } from "./shown-work.ts";
import { configOption, onDirectory, storesOption } from "./stores-option.ts";

export const verify: DefineCommand = (submit) =>
  new Command("verify")
    .summary("check a data directory, or repair it with --repair")
    .description(
      "Checks every hash, manifest and row of a data directory. Prints one JSON line for each finding, then a summary. Changes nothing without --repair.",
    )
    .option(
      "--repair",
      "redraw lost frames from stored source files; withdraw revisions that cannot be repaired",
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("verify --repair"))
    .action(({ repair = false, ...options }) => {
      submit(
        onDirectory(options, "A service cannot be verified yet; leave out --config.", (context) =>
          repair ? repairDirectory(context.folder, context) : verifyDirectory(context.folder, context),
        ),
      );
    });

function verifyDirectory(directory: string, context: WorkContext): Promise<number> {
  return showWork(context, {
    label: "Verifying",
    whenInterrupted: "Nothing was changed.",
    run: async ({ line, note, progress }) => {
      const { verifyDirectory } = await import("../catalog/verify/verify-directory.ts");
      const { signal } = context;
      const { findings, counts } = await verifyDirectory(directory, { signal, onProgress: progress });
      for (const finding of findings) line(finding);
      const faults = findings.filter(({ severity }) => severity === "fault").length;
      line({ verified: faults === 0, faults, ...counts });
      note(toConclusion(faults, "listed above"));
      return faults === 0 ? 0 : 1;
    },
  });
}

function repairDirectory(directory: string, context: WorkContext): Promise<number> {
  return showWork(context, {
    label: "Verifying and repairing",
    whenInterrupted: "Repairs made so far remain; the same command continues.",
    run: async ({ line, note, progress }) => {
      const { repairDirectory } = await import("../catalog/repair/repair-directory.ts");
      const { createRenderPool } = await import("../pipeline/ingest/render-pool.ts");
      const { renderWorkerUrl: workerUrl } = programFiles;
      const { effects, signal } = context;
      // Most repairs redraw nothing.
      let pool: RenderPool | undefined;
      try {
        const { counts, faults, repaired, withdrawn } = await repairDirectory(directory, {
          signal,
          now: effects.now,
          redraw: (path, abort) => (pool ??= createRenderPool({ workerUrl })).render(path, { signal: abort }),
          onFinding: line,
          onProgress: progress,
        });
        line({ verified: faults === 0, faults, repaired, withdrawn, ...counts });
        note(toConclusion(faults, 'those above with "repaired":null'));
        return faults === 0 ? 0 : 1;
      } finally {
        await pool?.close();
      }
    },
  });
}

function toConclusion(faults: number, which: string): string {
  return faults === 0
    ? "The data directory has no faults."
    : `Faults in the data directory: ${faults}, ${which}.`;
}
