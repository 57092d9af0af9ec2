// `echotop fetch`: fills the registered window of an event from a source.
import { Command, Option } from "@commander-js/extra-typings";
import { programFiles } from "../host/config/program-files.ts";
import { openExisting, useStores } from "../host/jobs/stores.ts";
import type { FileSourceConfig } from "../sources/feeds/feed-config.ts";
import type { DefineCommand } from "./command.ts";
import { parseFileSource } from "./feed-source-option.ts";
import { eventOption, example } from "./option-values.ts";
import { publishedSoFar, showWork } from "./shown-work.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const fetch: DefineCommand = (submit) =>
  new Command("fetch")
    .summary("fill a registered event from a source")
    .description(
      "Fills the window of a registered event from a source. Prints one JSON line for each file, and one for each gap of the source. When interrupted, the same command continues.",
    )
    .addOption(eventOption("registered event to fill"))
    .addOption(
      new Option("--source <source>", "noaa, bucket:URL or folder:DIR")
        .default<FileSourceConfig>({ kind: "noaa" }, "noaa")
        .argParser((text) => parseFileSource(text)),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("fetch --event hondo-2021-04-28"))
    .action(({ event, source, ...options }) => {
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Fetching",
            whenInterrupted: publishedSoFar,
            run: async ({ line, note, progress }) => {
              const { fetchWindow, toFetchSummary } = await import("../host/jobs/fetch-window.ts");
              const { effects, location, signal } = context;
              const report = await useStores(location, openExisting(effects), (stores) =>
                fetchWindow(programFiles.renderWorkerUrl, {
                  ...{ ...stores, eventId: event, source, effects, signal },
                  ...{ onFile: line, onMissing: line, onProgress: progress },
                }),
              );
              note(toFetchSummary(report));
              return report.failed > 0 ? 1 : 0;
            },
          }),
        ),
      );
    });
