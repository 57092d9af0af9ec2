// `echotop ingest`: GRIB2 files and folders into an event; one JSON line a file.
import { eventKinds } from "../../shared/contract/identifiers.ts";
import { programFiles } from "../host/config/program-files.ts";
import { ingestInto } from "../host/jobs/drawing-jobs.ts";
import { parseChoice, parseCommand, parseEventId, requireOption, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { publishedSoFar, showWork, type WorkDisplay } from "./shown-work.ts";

const options = {
  data: { type: "string" },
  event: { type: "string" },
  kind: { type: "string" },
  label: { type: "string" },
} as const;

export const ingest: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, options);
  const id = parseEventId(requireOption(values.event, "event"));
  const kind = values.kind === undefined ? undefined : parseChoice(values.kind, "kind", eventKinds);
  const label = values.label?.trim();
  if (label === "") throw new UsageError("--label is empty.");
  if (positionals.length === 0) throw new UsageError("ingest needs at least one file or folder.");
  const run = async ({ line, progress }: WorkDisplay): Promise<number> => {
    let failed = 0;
    await ingestInto(
      { dataDirectory: resolveDataDirectory(values.data), renderWorkerUrl: programFiles.renderWorkerUrl },
      {
        paths: positionals,
        event: { id, ...(kind === undefined ? {} : { kind }), ...(label === undefined ? {} : { label }) },
        signal: context.signal,
        onFile: (result) => {
          if (result.status === "failed") failed += 1;
          line(result);
        },
        onProgress: progress,
      },
      context.effects,
    );
    return failed > 0 ? 1 : 0;
  };
  return showWork(context, { label: "Ingesting", whenInterrupted: publishedSoFar, run });
};
