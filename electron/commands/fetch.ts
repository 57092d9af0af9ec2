// `echotop fetch`: fills the registered window of an event from a source; one JSON line a file, and one for each run of
// windows that the source does not have.
import { renderWorkerUrl } from "../host.ts";
import { fetchInto } from "../tasks.ts";
import { parseCommand, parseEventId, refusePositionals, requireOption, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-directory.ts";
import { parseFeedSource } from "./feed-arguments.ts";
import { writeJsonLine, writeNote } from "./output.ts";

const options = {
  data: { type: "string" },
  event: { type: "string" },
  source: { type: "string" },
} as const;

export const fetch: Command = async (args, { effects, signal }) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const eventId = parseEventId(requireOption(values.event, "event"));
  const source = parseFeedSource(values.source ?? "noaa", "source");
  if (source.kind === "mirror") throw new UsageError("--source takes noaa, bucket:URL or folder:DIR.");
  const progress = effects.showProgress("Fetching");
  try {
    const { listed, known, failed, missingWindows, isComplete } = await fetchInto(
      { dataDirectory: resolveDataDirectory(values.data), renderWorkerUrl },
      {
        eventId,
        source,
        signal,
        onFile: (result) => {
          progress.end();
          writeJsonLine(result);
        },
        onMissing: (missing) => {
          progress.end();
          writeJsonLine(missing);
        },
        onProgress: (done, total) => {
          progress.update(done, total);
        },
      },
      effects,
    );
    progress.end();
    const parts = [
      `The source has ${listed} files of the window`,
      ...(known > 0 ? [`${known} were here already`] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(missingWindows > 0 ? [`${missingWindows} windows are missing`] : []),
    ];
    writeNote(`${parts.join("; ")}. The event is ${isComplete ? "complete" : "not complete"}.`);
    return failed > 0 ? 1 : 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    writeNote(
      "Interrupted. What was reported as complete is published; the same command goes on from there.",
    );
    return 1;
  } finally {
    progress.end();
  }
};
