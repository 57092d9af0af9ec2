// `echotop copy FROM TO`: copies everything between data directories and services, and continues what was interrupted.
import { resolve } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { atDirectory, type StoresLocation } from "../catalog/stores/located-stores.ts";
import type { CopyReport } from "../catalog/copy/copy-stores.ts";
import { toStoresLocation } from "../host/config/service-config.ts";
import type { DefineCommand, WorkContext } from "./command.ts";
import { example, UsageError } from "./option-values.ts";
import { showWork, type WorkDisplay } from "./shown-work.ts";
import { loadServiceConfig } from "./stores-option.ts";

export const copy: DefineCommand = (submit) =>
  new Command("copy")
    .summary("copy everything between directories and services")
    .description(
      "Copies all events, revisions, frames, source files, assets and the log of the feeds, byte for byte: ids, sequences and ETags stay the same. A target that has an earlier copy gets what is new. Prints one JSON line for each event, then a summary. Copies neither hosted repositories nor briefings nor the gateway's settings and log.",
    )
    .argument("<from>", "data directory, or configuration file (.json) of a service")
    .argument("<to>", "the same; empty, or an earlier copy of FROM")
    .addHelpText("after", example("copy /var/lib/echotop service.json"))
    .action((fromPath, toPath) => {
      submit(async (context) => {
        const now = context.effects.now();
        const [from, to] = [await locate("FROM", fromPath, now), await locate("TO", toPath, now)];
        const { findOverlap } = await import("../catalog/copy/open-places.ts");
        const overlap = findOverlap(from, to);
        if (overlap !== undefined) throw new UsageError(overlap);
        return copyBetween({ from, to, name: toPath }, context);
      });
    });

/** Returns the place that an argument names. */
async function locate(name: "FROM" | "TO", path: string, now: Date): Promise<StoresLocation> {
  if (path === "") throw new UsageError(`${name} is empty; it takes a directory or a configuration file.`);
  if (!path.endsWith(".json")) return atDirectory(resolve(path));
  const service = await loadServiceConfig(path, now);
  if (service.stores) return toStoresLocation(service, "");
  throw new UsageError(`${name} names no service: the file needs the keys catalog and objects.`);
}

interface NamedCopy {
  readonly from: StoresLocation;
  readonly to: StoresLocation;
  /** TO as given. */
  readonly name: string;
}

function copyBetween({ from, to, name }: NamedCopy, context: WorkContext): Promise<number> {
  let state = "Nothing was copied";
  return showWork(context, {
    label: "Copying",
    whenInterrupted: () => `${state}; the same command continues.`,
    run: async (display) => {
      const { openPlaces } = await import("../catalog/copy/open-places.ts");
      const { copyStores } = await import("../catalog/copy/copy-stores.ts");
      const places = await openPlaces(from, to);
      try {
        let faults = 0;
        const report = await copyStores(places, {
          signal: context.signal,
          onProgress: (done, total) => {
            state = `The target has ${done} of ${total} revisions`;
            display.progress(done, total);
          },
          onEvent: (event, { fault, isChanged, ...counts }) => {
            if (fault) faults += 1;
            const status = fault ? "incomplete" : isChanged ? "copied" : "unchanged";
            display.line({ event, status, ...counts, ...fault });
          },
        });
        return conclude({ report, faults, name }, display);
      } finally {
        await places.close();
      }
    },
  });
}

function conclude(
  { report, faults, name }: { readonly report: CopyReport; readonly faults: number; readonly name: string },
  { line, note }: WorkDisplay,
): number {
  const { differences, ...counts } = report;
  for (const { eventId, ...rest } of differences)
    line({ event: eventId ?? null, status: "differs", ...rest });
  line({ copied: name, differences: differences.length, faults, ...counts });
  if (differences.length > 0) {
    note(
      "Nothing was copied: TO is not an earlier copy of FROM. The differences are listed above; choose an empty place.",
    );
  } else if (faults > 0) {
    note(
      `Events that could not be copied to their end: ${faults}. Run verify --repair on FROM, then copy again.`,
    );
  }
  return differences.length + faults === 0 ? 0 : 1;
}
