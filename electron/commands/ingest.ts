// `echotop ingest`: publishes GRIB2 files into an event.
import { Command, Option } from "@commander-js/extra-typings";
import { eventKinds } from "../../shared/contract/identifiers.ts";
import { programFiles } from "../host/config/program-files.ts";
import type { DefineCommand } from "./command.ts";
import { eventOption, example, parseLabel } from "./option-values.ts";
import { publishedSoFar, showWork } from "./shown-work.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const ingest: DefineCommand = (submit) =>
  new Command("ingest")
    .summary("add MRMS files to an event")
    .description(
      "Adds MRMS GRIB2 files (.grib2, .grib2.gz), or folders of them, to an event. Prints one JSON line for each file. A file that cannot be used is reported, and the rest continues. The files are kept as they are in the data directory while a revision needs them, which takes their size on the disk.",
    )
    .argument("<path...>", "files and folders")
    .addOption(eventOption("event to add to; created if it does not exist"))
    .addOption(
      new Option("--kind <kind>", "kind of a new event, historical-event by default").choices(eventKinds),
    )
    .addOption(new Option("--label <text>", "label of the event (default: its id)").argParser(parseLabel))
    .option("--no-keep", "leave no copies of the files: frames cannot be drawn again, nor the files exported")
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example('ingest --event plains-2024-05-20 --label "Plains hail" ~/mrms/'))
    .action((paths, { event: id, keep: keepsSources, kind, label, ...options }) => {
      const event = { id, ...(kind && { kind }), ...(label && { label }) };
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Ingesting",
            whenInterrupted: publishedSoFar,
            run: async ({ line, progress }) => {
              const { ingestInto } = await import("../host/jobs/ingest-into.ts");
              const { renderWorkerUrl } = programFiles;
              const { effects, location, signal } = context;
              let failed = 0;
              await ingestInto(
                { location, renderWorkerUrl },
                {
                  paths,
                  event,
                  keepsSources,
                  signal,
                  onFile: (result) => {
                    if (result.status === "failed") failed += 1;
                    line(result);
                  },
                  onProgress: progress,
                },
                effects,
              );
              return failed > 0 ? 1 : 0;
            },
          }),
        ),
      );
    });
