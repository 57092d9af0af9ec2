// `echotop archive`: makes an event read-only for good; one JSON line.
import { archiveIn } from "../host/jobs/event-jobs.ts";
import { parseCommand, parseEventId, refusePositionals, requireOption } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { writeJsonLine } from "./output.ts";

const options = { data: { type: "string" }, event: { type: "string" } } as const;

export const archive: Command = async (args, { effects }) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const event = parseEventId(requireOption(values.event, "event"));
  await archiveIn(resolveDataDirectory(values.data), event, effects);
  writeJsonLine({ event, status: "archived" });
  return 0;
};
