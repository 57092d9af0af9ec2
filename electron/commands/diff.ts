// `echotop diff`: prints what changed from one revision of an event to another.
import { Argument, Command, Option } from "@commander-js/extra-typings";
import { frameWorkerUrl } from "../host/config/program-files.ts";
import type { DefineCommand } from "./command.ts";
import { layerOption } from "./layer-option.ts";
import { example, parseEventId } from "./option-values.ts";
import { getRevision, parseSequence, readEventHistory, removedSequences } from "./sequence-option.ts";
import { showWork } from "./shown-work.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const diff: DefineCommand = (submit) =>
  new Command("diff")
    .summary("print what changed between two revisions")
    .description(
      `Compares the frames of two revisions cell by cell: the numbers of cells that went up, went down, appeared and vanished, and the biggest rise with its place. Cells that either frame does not cover count as nothing. One JSON line a layer; frames that cannot be compared say why. ${removedSequences}`,
    )
    .addArgument(new Argument("<event>", "event").argParser(parseEventId))
    .addOption(
      new Option("--from <sequence>", "the revision before")
        .argParser(parseSequence("--from"))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--to <sequence>", "the revision after, which may also be an earlier one")
        .argParser(parseSequence("--to"))
        .makeOptionMandatory(),
    )
    .addOption(layerOption("only this layer (default: each that either has)"))
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("diff plains-2024-05-20 --from 15 --to 23"))
    .action((eventId, { from, layer, to, ...options }) => {
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Comparing",
            whenInterrupted: "Nothing was changed.",
            run: async ({ line }) => {
              const { location, signal } = context;
              const { toDifferenceLines } = await import("../host/analysis/difference-lines.ts");
              const history = await readEventHistory(eventId, context);
              const request = {
                from: getRevision(history, from, "--from"),
                to: getRevision(history, to, "--to"),
                layer,
              };
              const crew = { workerUrl: frameWorkerUrl, location, signal };
              for (const difference of await toDifferenceLines(request, crew)) line(difference);
              return 0;
            },
          }),
        ),
      );
    });
