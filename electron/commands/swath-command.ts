// `echotop swath`: prints the highest class of each cell over an event, and draws it.
import { Argument, Command, Option } from "@commander-js/extra-typings";
import { resolve } from "node:path";
import type { ObservedSpan } from "../../shared/analysis/window-layers.ts";
import { frameWorkerUrl } from "../host/config/program-files.ts";
import { openReadable, useStores } from "../host/jobs/stores.ts";
import type { DefineCommand } from "./command.ts";
import { toInstantMs } from "./instant-option.ts";
import { layerOption } from "./layer-option.ts";
import { example, parseEventId, UsageError } from "./option-values.ts";
import { knownAtOption, removedSequences, takeKnown } from "./sequence-option.ts";
import { showWork } from "./shown-work.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

/** Files may be read by everybody whom the system's mask allows. */
const fileMode = 0o666;

export const swath: DefineCommand = (submit) =>
  new Command("swath")
    .summary("print and draw the largest of an event so far")
    .description(
      `Takes the highest class of each cell over the windows of an event, each at its newest known revision. Prints one JSON line: the windows used and those missing with the reason, the edges of the picture, and the number of cells of each class. The picture is a PNG of the same form as a frame; GeoJSON and KML have its outlines, at half inches of hail or at tens of dBZ, each around all cells of at least its level. ${removedSequences}`,
    )
    .addArgument(new Argument("<event>", "event").argParser(parseEventId))
    .addOption(layerOption("layer").makeOptionMandatory())
    .option("--from <time>", "first time of observation (default: the first)")
    .option("--to <time>", "last time of observation (default: the last)")
    .addOption(knownAtOption())
    .addOption(new Option("--out <file>", "file to write or replace (default: none)").argParser(parseOutFile))
    .addOption(
      new Option("--format <format>", "form of the file (default: png)").choices([
        "png",
        "geojson",
        "kml",
      ] as const),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText(
      "after",
      example(
        "swath plains-2024-05-20 --layer mrms-mesh --out swath.png",
        "swath plains-2024-05-20 --layer mrms-mesh --format geojson --out swath.geojson",
      ),
    )
    .action((eventId, { format, from, knownAt, layer, out, to, ...options }) => {
      if (format !== undefined && out === undefined) throw new UsageError("--format needs --out, a file.");
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Reading frames",
            whenInterrupted: "No file was written.",
            run: async ({ line, note, progress }) => {
              const span = await toSpan(from, to);
              const { location, signal } = context;
              const { readHistory } = await import("../host/analysis/event-history.ts");
              const { makeSwath } = await import("../host/analysis/swath-report.ts");
              const { toSwathFile } = await import("../host/analysis/swath-file.ts");
              const { report, bytes } = await useStores(
                location,
                openReadable,
                async ({ catalog, frames }) => {
                  const history = await readHistory(catalog, eventId, signal);
                  const revisions = takeKnown(history, knownAt, "--known-at");
                  const crew = { workerUrl: frameWorkerUrl, location, signal };
                  const made = await makeSwath(
                    { revisions, layer, span },
                    { ...crew, frames, onProgress: progress },
                  );
                  const file =
                    out === undefined
                      ? undefined
                      : await toSwathFile(made, { catalog, eventId, format: format ?? "png" });
                  return { report: made, bytes: file };
                },
              );
              if (out !== undefined && bytes) {
                const { replaceFile } = await import("../platform/disk/replace-file.ts");
                const { toStorageError } = await import("../platform/disk/storage-error.ts");
                try {
                  await replaceFile(out, bytes, { mode: fileMode });
                } catch (error) {
                  throw toStorageError(error, "The file could not be written");
                }
              }
              line(report.line);
              if (out === undefined || report.swath) return 0;
              note("echotop: No file was written: no frame can be used.");
              return 1;
            },
          }),
        ),
      );
    });

/** @throws UsageError for a text that is not an instant, and for an end before the beginning */
async function toSpan(from: string | undefined, to: string | undefined): Promise<ObservedSpan> {
  const span = { fromMs: await toInstantMs(from, "--from"), toMs: await toInstantMs(to, "--to") };
  if (from !== undefined && to !== undefined && span.fromMs! > span.toMs!) {
    throw new UsageError(`--from ${from} is after --to ${to}.`);
  }
  return span;
}

function parseOutFile(text: string): string {
  if (text === "") throw new UsageError("--out is empty; it takes a file.");
  return resolve(text);
}
