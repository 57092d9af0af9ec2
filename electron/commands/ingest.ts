// `echotop ingest`: GRIB2 files and folders into an event; one JSON line a file.
import { eventKinds } from "../../shared/contract/storm-event.ts";
import { ingestInto } from "../start.ts";
import { parseChoice, parseCommand, parseEventId, requireOption, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-directory.ts";
import { writeJsonLine } from "./output.ts";
import { createProgress } from "./progress.ts";

const options = {
  data: { type: "string" },
  event: { type: "string" },
  kind: { type: "string" },
  label: { type: "string" },
} as const;

export const ingestCommand: Command = {
  usage:
    "ingest [--data DIR] --event ID [--kind historical-event|operational-feed] [--label TEXT] PATH…",
  summary: "add MRMS files or folders of them (.grib2, .grib2.gz) to an event",
  async run(args, { effects, signal }) {
    const { values, positionals } = parseCommand(args, options);
    const id = parseEventId(requireOption(values.event, "event"));
    if (positionals.length === 0) throw new UsageError("ingest needs at least one file or folder.");
    const label = values.label?.trim();
    if (label === "") throw new UsageError("--label is empty.");
    const progress = createProgress({
      label: "Ingesting",
      stream: process.stderr,
      nowMs: () => effects.now().getTime(),
    });
    let failed = 0;
    await ingestInto(
      resolveDataDirectory(values.data),
      {
        paths: positionals,
        event: {
          id,
          ...(values.kind === undefined ? {} : { kind: parseChoice(values.kind, "kind", eventKinds) }),
          ...(label === undefined ? {} : { label }),
        },
        signal,
        onFile: (result) => {
          if (result.status === "failed") failed += 1;
          progress.end();
          writeJsonLine(result);
        },
        onProgress: (done, total) => {
          progress.update(done, total);
        },
      },
      effects,
    );
    progress.end();
    return failed > 0 || signal.aborted ? 1 : 0;
  },
};
