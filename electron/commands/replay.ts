// `echotop replay`: republishes an event as it happened, as an event of its own.
import { Command, Option } from "@commander-js/extra-typings";
import {
  defaultReplaySpeed,
  fastestReplay,
  isReplaySpeed,
  slowestReplay,
} from "../../shared/revisions/replay-speed.ts";
import { openExisting, useCatalog } from "../host/jobs/stores.ts";
import type { ReplayPlan } from "../sources/replay/replay-plan.ts";
import type { DefineCommand } from "./command.ts";
import { durationWords } from "./duration-words.ts";
import { eventOption, example, parseDecimal, parseEventId, UsageError } from "./option-values.ts";
import { showWork } from "./shown-work.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const replay: DefineCommand = (submit) =>
  new Command("replay")
    .summary("republish an event as it happened")
    .description(
      "Republishes an event's revisions as an event of its own, in their order and with their spacing. Prints one JSON line for each revision. When interrupted, the same command continues.",
    )
    .addOption(eventOption("event to replay"))
    .addOption(
      new Option("--as <id>", "event that the replay becomes").argParser(parseEventId).makeOptionMandatory(),
    )
    .addOption(
      new Option("--speed <factor>", `times the speed of publication, ${slowestReplay} to ${fastestReplay}`)
        .default(defaultReplaySpeed)
        .argParser(parseSpeed),
    )
    .addOption(
      new Option("--max-gap <seconds>", "longest wait between two revisions (default: no limit)").argParser(
        parseSeconds,
      ),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("replay --event plains-2024-05-20 --as plains-again --speed 60"))
    .action(({ event: from, as, speed, maxGap, ...options }) => {
      if (as === from) throw new UsageError("--as takes the id of another event than --event.");
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Replaying",
            whenInterrupted: "What was printed is published; the same command continues.",
            run: async ({ line, note, progress }) => {
              const { startReplay } = await import("../sources/replay/start-replay.ts");
              return useCatalog(context.location, openExisting(context.effects), async (catalog) => {
                const { plan, done } = await startReplay({
                  ...{ ...context, catalog, from, as, speed },
                  longestWaitMs: maxGap && maxGap * 1000,
                  onRevision: (revision, { after, last }) => {
                    line(revision);
                    progress(revision.of.sequence - after, last - after);
                  },
                });
                note(toAnnouncement({ from, as, speed }, plan));
                if ((await done) === "complete") return 0;
                context.signal.throwIfAborted();
                return 1;
              });
            },
          }),
        ),
      );
    });

function toAnnouncement(
  { from, as, speed }: { readonly from: string; readonly as: string; readonly speed: number },
  { after, last, publishedAs, spanMs }: ReplayPlan,
): string {
  if (after >= last) return `All of ${from} has already been replayed as ${as}.`;
  const verb = publishedAs > 0 ? "Continuing" : "Replaying";
  return `${verb} ${from} as ${as}: ${durationWords(spanMs / speed)}, spaced as it was published.`;
}

function parseSpeed(text: string): number {
  const speed = parseDecimal(text);
  if (isReplaySpeed(speed)) return speed;
  throw new UsageError(
    `--speed takes ${slowestReplay} to ${fastestReplay}, times the speed of publication, not "${text}".`,
  );
}

function parseSeconds(text: string): number {
  const seconds = parseDecimal(text);
  if (seconds >= 0) return seconds;
  throw new UsageError(`--max-gap takes seconds, not "${text}".`);
}
