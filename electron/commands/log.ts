// `echotop log`: what the feeds received, published, missed and could not use, oldest first; JSON lines or CSV.
import { readLog, type FeedLogRecord } from "../host/jobs/event-jobs.ts";
import { parseChoice, parseCommand, refusePositionals } from "./arguments.ts";
import type { Command } from "./command.ts";
import { toCsvLine } from "./csv.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { writeJsonLine } from "./output.ts";

const options = { data: { type: "string" }, format: { type: "string" } } as const;
const formats = ["jsonl", "csv"] as const;

/** The order of columns is part of the form. */
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

export const log: Command = async (args, { signal }) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const format = parseChoice(values.format ?? "jsonl", "format", formats);
  if (format === "csv") process.stdout.write(toCsvLine(columns));
  for await (const record of readLog(resolveDataDirectory(values.data))) {
    if (signal.aborted) return 1;
    if (format === "jsonl") writeJsonLine(record);
    else process.stdout.write(toCsvLine(columns.map((column) => record[column])));
  }
  return 0;
};
