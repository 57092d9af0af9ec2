// `echotop fetch`: fills the registered window of an event from a source; one JSON line a file, and one for each run of
// windows that the source does not have.
import { programFiles } from "../host/config/program-files.ts";
import { fetchInto, type FetchReport } from "../host/jobs/drawing-jobs.ts";
import { parseCommand, parseEventId, refusePositionals, requireOption, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { parseFeedSource } from "./feed-arguments.ts";
import { publishedSoFar, showWork, type WorkDisplay } from "./shown-work.ts";

const options = {
  data: { type: "string" },
  event: { type: "string" },
  source: { type: "string" },
} as const;

export const fetch: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const eventId = parseEventId(requireOption(values.event, "event"));
  const source = parseFeedSource(values.source ?? "noaa", "source");
  if (source.kind === "mirror") throw new UsageError("--source takes noaa, bucket:URL or folder:DIR.");
  const run = async ({ line, note, progress }: WorkDisplay): Promise<number> => {
    const report = await fetchInto(
      { dataDirectory: resolveDataDirectory(values.data), renderWorkerUrl: programFiles.renderWorkerUrl },
      { eventId, source, signal: context.signal, onFile: line, onMissing: line, onProgress: progress },
      context.effects,
    );
    note(toSentences(report));
    return report.failed > 0 ? 1 : 0;
  };
  return showWork(context, { label: "Fetching", whenInterrupted: publishedSoFar, run });
};

function toSentences({ listed, known, failed, missingWindows, isComplete }: FetchReport): string {
  const parts = [
    `The source has ${listed} files of the window`,
    ...(known > 0 ? [`${known} were here already`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(missingWindows > 0 ? [`${missingWindows} windows are missing`] : []),
  ];
  return `${parts.join("; ")}. The event is ${isComplete ? "complete" : "not complete"}.`;
}
