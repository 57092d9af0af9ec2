// `echotop fetch`: fills the registered window of an event from a source, or leaves that to the workers of a service.
import { Command, Option } from "@commander-js/extra-typings";
import { AppError } from "../../shared/app-error.ts";
import type { Stores } from "../catalog/stores/located-stores.ts";
import { programFiles } from "../host/config/program-files.ts";
import { openExisting, useStores } from "../host/jobs/stores.ts";
import type { FileSourceConfig } from "../sources/feeds/feed-config.ts";
import type { DefineCommand } from "./command.ts";
import { parseFileSource } from "./feed-source-option.ts";
import { eventOption, example, UsageError } from "./option-values.ts";
import { publishedSoFar, showWork, type WorkDisplay } from "./shown-work.ts";
import { configOption, onStores, storesOption, type StoresContext } from "./stores-option.ts";

interface FetchRequest {
  readonly event: string;
  readonly source: FileSourceConfig;
}

export const fetch: DefineCommand = (submit) =>
  new Command("fetch")
    .summary("fill a registered event from a source")
    .description(
      "Fills the window of a registered event from a source. Prints one JSON line for each file, and one for each gap of the source. When interrupted, the same command continues. With a service, its workers can do it: --queue returns once the windows are queued, and --status says how far they are.",
    )
    .addOption(eventOption("registered event to fill"))
    .addOption(
      new Option("--source <source>", "noaa, bucket:URL or folder:DIR")
        .default<FileSourceConfig>({ kind: "noaa" }, "noaa")
        .argParser((text) => parseFileSource(text)),
    )
    .option("--queue", "queue the windows for the workers of a service, which must all see the source")
    .addOption(
      new Option("--status", "print how far the workers are, and the files that failed").conflicts("queue"),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("fetch --event hondo-2021-04-28"))
    .action(({ event, source, queue, status, ...options }) => {
      const request = { event, source };
      const work = queue ? queueWindows : status ? printStatus : fetchHere;
      submit(
        onStores(options, (context) => {
          if (work !== fetchHere && context.location.kind === "directory") {
            const option = queue ? "--queue" : "--status";
            throw new UsageError(`${option} needs a service: name its configuration with --config FILE.`);
          }
          return showWork(context, {
            label: queue ? "Queueing" : "Fetching",
            whenInterrupted: queue ? "Nothing was queued." : publishedSoFar,
            run: (display) =>
              useStores(context.location, openExisting(context.effects), (stores) =>
                work(request, stores, { ...context, ...display }),
              ),
          });
        }),
      );
    });

type FetchContext = StoresContext & WorkDisplay;

async function fetchHere(
  { event, source }: FetchRequest,
  stores: Stores,
  { effects, signal, line, note, progress }: FetchContext,
): Promise<number> {
  const { fetchWindow, toFetchSummary } = await import("../host/jobs/fetch-window.ts");
  const report = await fetchWindow(programFiles.renderWorkerUrl, {
    ...{ ...stores, eventId: event, source, effects, signal },
    ...{ onFile: line, onMissing: line, onProgress: progress },
  });
  note(toFetchSummary(report));
  return report.failed > 0 ? 1 : 0;
}

async function queueWindows(
  { event: eventId, source: config }: FetchRequest,
  stores: Stores,
  { effects, signal, line, note }: FetchContext,
): Promise<number> {
  const { queueEvent } = await import("../sources/backfill/queue-event.ts");
  const { createFileSource } = await import("../sources/feeds/create-source.ts");
  const source = createFileSource(config, effects);
  const report = await queueEvent({
    ...{ ...stores, ...stores.service!, eventId, config, source, effects, signal },
    ...{ onFile: line, onMissing: line },
  });
  const { listed, known, missingWindows, queuedWindows, failed } = report;
  const parts = [
    `The source lists ${listed} files for this window`,
    ...(known > 0 ? [`${known} were already here`] : []),
    ...(missingWindows > 0 ? [`${countWindows(missingWindows)} missing there`] : []),
  ];
  note(`${parts.join("; ")}. ${countWindows(queuedWindows)} queued.`);
  return failed > 0 ? 1 : 0;
}

async function printStatus(
  { event: eventId }: FetchRequest,
  stores: Stores,
  { line }: FetchContext,
): Promise<number> {
  const { catalog, service } = stores;
  const event = await catalog.findEvent(eventId);
  if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
  line({ eventId, event: event.status, ...(await service!.backfills.count(eventId)) });
  const failed = (await catalog.listAssets(eventId)).filter(({ status }) => status === "failed");
  for (const { locator: file, productId: product, observedAt, errorMessage: error } of failed) {
    line({ file, product, observedAt, status: "failed", error });
  }
  return failed.length > 0 ? 1 : 0;
}

function countWindows(count: number): string {
  return count === 1 ? "1 window is" : `${count} windows are`;
}
