// `echotop known`: prints what was known of an event at a sequence or at a time.
import { Argument, Command, Option } from "@commander-js/extra-typings";
import type { DefineCommand } from "./command.ts";
import { toInstantMs } from "./instant-option.ts";
import { example, parseEventId } from "./option-values.ts";
import { writeJsonLine } from "./output.ts";
import { parseSequence, readEventHistory, removedSequences, takeKnown } from "./sequence-option.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const known: DefineCommand = (submit) =>
  new Command("known")
    .summary("print what was known at a sequence or a time")
    .description(
      `Prints each observed window as it was known then: the highest revision of the window up to the sequence, or published up to the time, that one included. One JSON line a window, by ascending time. ${removedSequences}`,
    )
    .addArgument(new Argument("<event>", "event").argParser(parseEventId))
    .addOption(
      new Option("--at <moment>", "a sequence such as 23, or a time of publication").makeOptionMandatory(),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("known plains-2024-05-20 --at 2024-05-20T21:46:10Z"))
    .action((eventId, { at, ...options }) => {
      const sequence = /^[\d-]*$/.test(at) ? parseSequence("--at")(at) : undefined;
      submit(
        onStores(options, async (context) => {
          const publishedMs = sequence === undefined ? (await toInstantMs(at, "--at"))! : undefined;
          const { toKnownLines } = await import("../host/analysis/known-lines.ts");
          const history = await readEventHistory(eventId, context);
          const revisions = takeKnown(history, sequence, "--at");
          for (const line of toKnownLines(revisions, publishedMs)) writeJsonLine(line);
          return 0;
        }),
      );
    });
