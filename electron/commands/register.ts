// `echotop register`: a benchmark window without data yet, of one's own or out of the catalogue; one JSON line.
import { isAppError } from "../../shared/app-error.ts";
import { Instant } from "../../shared/contract/primitives.ts";
import { findKnownEvent, listKnownEvents } from "../host/config/known-events.ts";
import { registerIn, type EventRegistration } from "../host/jobs/event-jobs.ts";
import { parseCommand, parseEventId, refusePositionals, requireOption, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { writeJsonLine } from "./output.ts";

const options = {
  data: { type: "string" },
  event: { type: "string" },
  label: { type: "string" },
  start: { type: "string" },
  end: { type: "string" },
  known: { type: "string" },
} as const;

type Values = ReturnType<typeof parseCommand<typeof options>>["values"];

export const register: Command = async (args, { effects }) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const registration = values.known === undefined ? toRegistration(values) : toKnown(values, values.known);
  try {
    const event = await registerIn(resolveDataDirectory(values.data), registration, effects);
    const { id, label, status, startedAt, endedAt } = event;
    writeJsonLine({ event: id, label, status, startedAt, endedAt });
    return 0;
  } catch (error) {
    if (isAppError(error, "invalid-input")) throw new UsageError(error.detail);
    throw error;
  }
};

function toRegistration(values: Values): EventRegistration {
  return {
    id: parseEventId(requireOption(values.event, "event")),
    label: requireOption(values.label?.trim(), "label"),
    startedAt: parseInstantOption(values.start, "start"),
    endedAt: parseInstantOption(values.end, "end"),
  };
}

/** The catalogue gives what is not said: another id or label may be. */
function toKnown(values: Values, name: string): EventRegistration {
  for (const fixed of ["start", "end"] as const) {
    if (values[fixed] !== undefined) throw new UsageError(`--${fixed} cannot be given with --known.`);
  }
  const known = findKnownEvent(name);
  if (!known) {
    const names = listKnownEvents().map((event) => event.name);
    throw new UsageError(`"${name}" is not in the catalogue of events, which has ${names.join(", ")}.`);
  }
  return {
    id: values.event === undefined ? known.name : parseEventId(values.event),
    label: values.label === undefined ? known.label : requireOption(values.label.trim(), "label"),
    startedAt: known.startedAt,
    endedAt: known.endedAt,
  };
}

function parseInstantOption(text: string | undefined, name: string): string {
  const value = requireOption(text, name);
  if (Instant.safeParse(value).success) return value;
  throw new UsageError(`--${name} takes an instant such as 2024-05-20T21:00:00Z, not "${value}".`);
}
