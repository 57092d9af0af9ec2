// `echotop log`: prints what the feeds received, published, missed and could not use.
import { Command } from "@commander-js/extra-typings";
import type { StoresLocation } from "../catalog/stores/located-stores.ts";
import type { FeedLogRecord } from "../catalog/catalog.ts";
import { openReadable } from "../host/jobs/stores.ts";
import type { DefineCommand } from "./command.ts";
import { linesOption, startLines } from "./lines-option.ts";
import { example } from "./option-values.ts";
import { writeJsonLine } from "./output.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

const columns = [
  "id",
  "at",
  "source",
  "eventId",
  "kind",
  "productId",
  "observedAt",
  "locator",
  "byteLength",
  "delayMs",
  "durationMs",
  "revisionId",
  "sequence",
  "change",
  "message",
] as const satisfies readonly (keyof FeedLogRecord)[];

/** Entries held in memory at once. */
const pageSize = 1000;

export const log: DefineCommand = (submit) =>
  new Command("log")
    .summary("print what the feeds did")
    .description(
      "Prints what the feeds received, published, missed and could not use, oldest first. The log keeps the newest 20,000 entries.",
    )
    .addOption(linesOption())
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("log --format csv > feeds.csv"))
    .action(({ format, ...options }) => {
      submit(
        onStores(options, async ({ location, signal }) => {
          const write = startLines<FeedLogRecord>(
            format,
            { columns, toCells: (record) => columns.map((column) => record[column]) },
            { line: writeJsonLine, text: (text) => process.stdout.write(text) },
          );
          for await (const record of readLog(location)) {
            if (signal.aborted) return 1;
            write(record);
          }
          return 0;
        }),
      );
    });

/** Yields the log's entries, page by page. @throws AppError `not-found` if there is no catalog */
async function* readLog(location: StoresLocation): AsyncGenerator<FeedLogRecord, void, undefined> {
  const stores = await openReadable(location);
  try {
    for (let afterId = 0; ;) {
      const records = await stores.catalog.listFeedLog({ limit: pageSize, afterId });
      yield* records;
      const last = records.at(-1);
      if (!last) return;
      afterId = last.id;
    }
  } finally {
    await stores.close();
  }
}
