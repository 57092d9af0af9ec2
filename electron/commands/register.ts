// `echotop register`: registers a benchmark event that has no data yet.
import { Command, Option } from "@commander-js/extra-typings";
import { isAppError } from "../../shared/app-error.ts";
import type { EventRegistration } from "../catalog/catalog.ts";
import { openOrCreate, useCatalog } from "../host/jobs/stores.ts";
import type { DefineCommand } from "./command.ts";
import { checkInstant } from "./instant-option.ts";
import { example, parseEventId, parseLabel, UsageError } from "./option-values.ts";
import { writeJsonLine } from "./output.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const register: DefineCommand = (submit) =>
  new Command("register")
    .summary("register a benchmark event without data")
    .description(
      "Registers a benchmark event that has no data yet: your own window, or a known event. Prints one JSON line.",
    )
    .addOption(
      new Option("--known <name>", "known event, by its name in assets/known-events.json").conflicts([
        "start",
        "end",
      ]),
    )
    .addOption(
      new Option("--event <id>", "id of the event (default: the known name)").argParser(parseEventId),
    )
    .addOption(new Option("--label <text>", "label (default: the known event's)").argParser(parseLabel))
    .option("--start <time>", "first instant of the window, such as 2024-05-20T21:00:00Z")
    .option("--end <time>", "last instant of the window")
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("register --known hondo-2021-04-28"))
    .action(({ config, data, known, ...options }) => {
      submit(
        onStores({ config, data }, async ({ effects, location }) => {
          const registration =
            known === undefined ? await toRegistration(options) : await toKnownRegistration(known, options);
          try {
            const { id, label, status, startedAt, endedAt } = await useCatalog(
              location,
              openOrCreate(effects),
              (catalog) => catalog.registerEvent(registration),
            );
            writeJsonLine({ event: id, label, status, startedAt, endedAt });
            return 0;
          } catch (error) {
            if (isAppError(error, "invalid-input")) throw new UsageError(error.detail);
            throw error;
          }
        }),
      );
    });

type Options = Readonly<Partial<Record<"event" | "label" | "start" | "end", string>>>;

async function toRegistration({ event, label, start, end }: Options): Promise<EventRegistration> {
  if (event === undefined && label === undefined && start === undefined && end === undefined)
    throw new UsageError("--known is required, or --event, --label, --start and --end.");
  return {
    id: requireOption(event, "event"),
    label: requireOption(label, "label"),
    startedAt: await checkInstant(requireOption(start, "start"), "--start"),
    endedAt: await checkInstant(requireOption(end, "end"), "--end"),
  };
}

async function toKnownRegistration(name: string, { event, label }: Options): Promise<EventRegistration> {
  const { listKnownEvents } = await import("../host/config/known-events.ts");
  const events = listKnownEvents();
  const known = events.find((entry) => entry.name === name);
  if (!known) {
    const names = events.map((entry) => entry.name).join(", ");
    throw new UsageError(`"${name}" is not a known event. Known events: ${names}.`);
  }
  const { startedAt, endedAt } = known;
  return { id: event ?? known.name, label: label ?? known.label, startedAt, endedAt };
}

function requireOption(value: string | undefined, name: string): string {
  if (value === undefined) throw new UsageError(`--${name} is required.`);
  return value;
}
