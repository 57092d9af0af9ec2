// `echotop verify`: checks a data directory or a service and, with `--repair`, repairs it.
import { Command } from "@commander-js/extra-typings";
import type { StoresLocation } from "../catalog/stores/located-stores.ts";
import type { RepairOptions, RepairReport } from "../catalog/repair/repair-directory.ts";
import type { VerifyOptions, VerifyReport } from "../catalog/verify/verify-directory.ts";
import type { RenderPool } from "../pipeline/ingest/render-pool.ts";
import { programFiles } from "../host/config/program-files.ts";
import type { DefineCommand, WorkContext } from "./command.ts";
import { example } from "./option-values.ts";
import { showWork } from "./shown-work.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const verify: DefineCommand = (submit) =>
  new Command("verify")
    .summary("check a data directory or a service, or repair it with --repair")
    .description(
      "Checks every hash, manifest and row of a data directory or a service. Prints one JSON line for each finding, then a summary. Changes nothing without --repair.",
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
        onStores(options, (context) => {
          const { location } = context;
          return repair ? repairStores(location, context) : verifyStores(location, context);
        }),
      );
    });

function verifyStores(location: StoresLocation, context: WorkContext): Promise<number> {
  return showWork(context, {
    label: "Verifying",
    whenInterrupted: "Nothing was changed.",
    run: async ({ line, note, progress }) => {
      const options = { signal: context.signal, onProgress: progress };
      const { findings, counts } = await runVerification(location, options);
      for (const finding of findings) line(finding);
      const faults = findings.filter(({ severity }) => severity === "fault").length;
      line({ verified: faults === 0, faults, ...counts });
      note(toConclusion(location, faults, "listed above"));
      return faults === 0 ? 0 : 1;
    },
  });
}

async function runVerification(location: StoresLocation, options: VerifyOptions): Promise<VerifyReport> {
  if (location.kind === "directory") {
    const { verifyDirectory } = await import("../catalog/verify/verify-directory.ts");
    return verifyDirectory(location.directory, options);
  }
  const { verifyService } = await import("../catalog/verify/service/verify-service.ts");
  return verifyService(location, options);
}

function repairStores(location: StoresLocation, context: WorkContext): Promise<number> {
  return showWork(context, {
    label: "Verifying and repairing",
    whenInterrupted: "Repairs made so far remain; the same command continues.",
    run: async ({ line, note, progress }) => {
      const { createRenderPool } = await import("../pipeline/ingest/render-pool.ts");
      const { renderWorkerUrl: workerUrl } = programFiles;
      const { effects, signal } = context;
      // Most repairs redraw nothing.
      let pool: RenderPool | undefined;
      try {
        const { counts, faults, repaired, withdrawn } = await runRepair(location, {
          signal,
          now: effects.now,
          redraw: (path, abort) => (pool ??= createRenderPool({ workerUrl })).render(path, { signal: abort }),
          onFinding: line,
          onProgress: progress,
        });
        line({ verified: faults === 0, faults, repaired, withdrawn, ...counts });
        note(toConclusion(location, faults, 'those above with "repaired":null'));
        return faults === 0 ? 0 : 1;
      } finally {
        await pool?.close();
      }
    },
  });
}

async function runRepair(location: StoresLocation, options: RepairOptions): Promise<RepairReport> {
  if (location.kind === "directory") {
    const { repairDirectory } = await import("../catalog/repair/repair-directory.ts");
    return repairDirectory(location.directory, options);
  }
  const { repairService } = await import("../catalog/repair/service/repair-service.ts");
  return repairService(location, options);
}

function toConclusion(location: StoresLocation, faults: number, which: string): string {
  const place = location.kind === "directory" ? "data directory" : "service";
  return faults === 0 ? `The ${place} has no faults.` : `Faults in the ${place}: ${faults}, ${which}.`;
}
