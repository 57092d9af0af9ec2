// `echotop story`: prints the class of one place in each window of an event.
import { Argument, Command, Option } from "@commander-js/extra-typings";
import type { StoryLine } from "../host/analysis/place-lines.ts";
import { frameWorkerUrl } from "../host/config/program-files.ts";
import type { DefineCommand } from "./command.ts";
import { linesOption, startLines } from "./lines-option.ts";
import { example, parseEventId, UsageError } from "./option-values.ts";
import { knownAtOption, readEventHistory, removedSequences, takeKnown } from "./sequence-option.ts";
import { showWork } from "./shown-work.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

const columns = ["observedAt", "publishedAt", "sequence", "layer", "lower", "upper", "nothing"];

export const story: DefineCommand = (submit) =>
  new Command("story")
    .summary("print the story of a place")
    .description(
      `Prints the class of one cell in each published window and layer, or why it has none: below the first class, outside coverage, not delivered, or failed. Times and sequence of publication are those since which the layer stands as it is. ${removedSequences}`,
    )
    .addArgument(new Argument("<event>", "event").argParser(parseEventId))
    .addOption(
      new Option("--lon <degrees>", "longitude, west is negative")
        .argParser((text) => parseDegrees("--lon", text, 180))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--lat <degrees>", "latitude")
        .argParser((text) => parseDegrees("--lat", text, 90))
        .makeOptionMandatory(),
    )
    .addOption(knownAtOption())
    .addOption(linesOption())
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("story plains-2024-05-20 --lon -97.4 --lat 35.2"))
    .action((eventId, { format, knownAt, lat, lon, ...options }) => {
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Reading frames",
            whenInterrupted: "Nothing was changed.",
            run: async (show) => {
              const { location, signal } = context;
              const { tellStory } = await import("../host/analysis/place-lines.ts");
              const revisions = takeKnown(await readEventHistory(eventId, context), knownAt, "--known-at");
              await tellStory(revisions, [lon, lat], {
                ...{ workerUrl: frameWorkerUrl, location, signal },
                onLine: startLines<StoryLine>(format, { columns, toCells }, show),
                onProgress: show.progress,
              });
              return 0;
            },
          }),
        ),
      );
    });

function toCells({ observedAt, publishedAt, sequence, layer, nothing, ...told }: StoryLine) {
  const [lower, upper] = told.class ?? [];
  return [observedAt, publishedAt, sequence, layer, lower, upper ?? undefined, nothing ?? undefined];
}

function parseDegrees(option: string, text: string, most: number): number {
  const degrees = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(degrees) <= most) return degrees;
  throw new UsageError(`${option} takes degrees from -${most} to ${most}, not "${text}".`);
}
