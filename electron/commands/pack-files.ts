// `echotop pack export` and `pack import`: an event as a Git repository on this disk, and back. The last line is
// `{"event","commit","status"}`.
import { resolve } from "node:path";
import { exportPack, importPackInto } from "../host/jobs/pack-jobs.ts";
import { parseCommand, parseEventId, refusePositionals, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { showWork, type WorkDisplay } from "./shown-work.ts";

export const packExport: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, { data: { type: "string" }, out: { type: "string" } });
  const eventId = parseEventId(requireOne(positionals, "pack export takes the id of an event."));
  if (values.out === "") throw new UsageError("--out takes the folder of the repository.");
  const run = async ({ line, progress }: WorkDisplay): Promise<number> => {
    line(
      await exportPack(resolveDataDirectory(values.data), {
        eventId,
        gitdir: values.out === undefined ? undefined : resolve(values.out),
        signal: context.signal,
        onProgress: progress,
      }),
    );
    return 0;
  };
  const whenInterrupted = "The pack is sound as far as it goes; the same command completes it.";
  return showWork(context, { label: "Exporting", whenInterrupted, run });
};

export const packImport: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, { data: { type: "string" } });
  const path = resolve(requireOne(positionals, "pack import takes the path of a Git repository."));
  const run = async ({ line, progress }: WorkDisplay): Promise<number> => {
    const request = { path, signal: context.signal, onProgress: progress };
    line(await importPackInto(resolveDataDirectory(values.data), request, context.effects));
    return 0;
  };
  return showWork(context, {
    label: "Importing",
    whenInterrupted: "Nothing of the pack was published.",
    run,
  });
};

function requireOne([first, ...others]: readonly string[], otherwise: string): string {
  if (first === undefined || first === "") throw new UsageError(otherwise);
  refusePositionals(others);
  return first;
}
