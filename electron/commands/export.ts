// `echotop export`: writes pictures, loops and data of an event.
import { resolve } from "node:path";
import { Argument, Command, Option } from "@commander-js/extra-typings";
import { isAppError } from "../../shared/app-error.ts";
import { programFiles } from "../host/config/program-files.ts";
import { openReadable, useStores } from "../host/jobs/stores.ts";
import { exportFormatIds, exportFormats } from "../sharing/exports/export-formats.ts";
import type { DefineCommand } from "./command.ts";
import { layersOption } from "./layer-option.ts";
import { example, parseEventId, UsageError } from "./option-values.ts";
import {
  findPictureOption,
  paletteOption,
  sizeOption,
  speedOption,
  toPictureChoice,
  viewOption,
} from "./picture-options.ts";
import { parseRevisionList, type RevisionChoice } from "./revision-list.ts";
import { showWork } from "./shown-work.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const exportCommand: DefineCommand = (submit) =>
  new Command("export")
    .summary("write pictures, loops and data of an event")
    .description(
      "Writes revisions of an event as files that say what they are: what was observed and published when, the legends, the sources, and whether it is synthetic or a replay. PNG is one picture a revision: with several revisions the file's name gets the sequence, as in storm-12.png, or in place of {sequence}. GIF and WebP are loops of one frame a revision, in the order of the list; time without data between two revisions is a frame that says so. GeoTIFF is a file for each revision and layer with the source's cells as pixels, KMZ one file for a globe, source the original GRIB2 files that were kept; their --out is a folder. Prints one JSON line a file. Leaves no file behind if it fails.",
    )
    .addArgument(new Argument("<event>", "event").argParser(parseEventId))
    .addOption(
      new Option("--revisions <list>", "sequences such as 3,5,9-12, or all, latest or latest:N")
        .default<RevisionChoice>({ newest: 1 }, "latest")
        .argParser(parseRevisionList),
    )
    .addOption(
      new Option("--format <format>", "form of the files").choices(exportFormatIds).makeOptionMandatory(),
    )
    .addOption(layersOption("layers such as mrms-mesh, separated by commas (default: all)"))
    .addOption(sizeOption())
    .addOption(viewOption())
    .addOption(paletteOption())
    .addOption(speedOption())
    .addOption(
      new Option("--out <path>", "file to write or replace; for geotiff, kmz and source a folder")
        .argParser(parseOut)
        .makeOptionMandatory(),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText(
      "after",
      example(
        "export plains-2024-05-20 --format png --out storm.png",
        "export plains-2024-05-20 --revisions all --format gif --size 640x480 --out storm.gif",
        "export plains-2024-05-20 --revisions all --format geotiff --out cells",
      ),
    )
    .action((eventId, { format, layers, out, revisions, ...options }) => {
      const { isPicture, load } = exportFormats[format];
      const unused = isPicture ? undefined : findPictureOption(options);
      if (unused !== undefined) throw new UsageError(`--${unused} does not apply to --format ${format}.`);
      const picture = toPictureChoice(options);
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Exporting",
            whenInterrupted: "No file was written.",
            run: async ({ line, progress }) => {
              const { ensureBuilt } = await import("../build/ensure-built.ts");
              await ensureBuilt(["briefing-map"]);
              const write = await load();
              const { location, signal } = context;
              const files = await useStores(location, openReadable, (stores) =>
                write(
                  { eventId, ...revisions, layers, out, picture },
                  { ...stores, mapFile: programFiles.briefingMapFile, signal, onProgress: progress },
                ),
              ).catch((error: unknown) => {
                if (isAppError(error, "invalid-input")) throw new UsageError(error.detail);
                throw error;
              });
              for (const { file, revisionIds, sha256 } of files) line({ file, format, revisionIds, sha256 });
              return 0;
            },
          }),
        ),
      );
    });

function parseOut(text: string): string {
  if (text === "") throw new UsageError("--out is empty; it takes a path.");
  return resolve(text);
}
