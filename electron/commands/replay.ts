// `echotop replay`: publishes an event's revisions again, as they happened, as an event of its own; one JSON line a revision.
import {
  defaultReplaySpeed,
  fastestReplay,
  isReplaySpeed,
  slowestReplay,
} from "../../shared/revisions/replay-speed.ts";
import { replayEvent } from "../host/jobs/event-jobs.ts";
import { parseCommand, parseEventId, refusePositionals, requireOption, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { durationWords } from "./duration-words.ts";
import { writeJsonLine, writeNote } from "./output.ts";

const options = {
  data: { type: "string" },
  event: { type: "string" },
  as: { type: "string" },
  speed: { type: "string" },
  "max-gap": { type: "string" },
} as const;

export const replay: Command = async (args, { effects, signal }) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const from = parseEventId(requireOption(values.event, "event"));
  const as = parseEventId(requireOption(values.as, "as"));
  if (as === from) throw new UsageError("--as takes the id of another event than --event.");
  const speed = values.speed === undefined ? defaultReplaySpeed : parseSpeed(values.speed);
  const maxGap = values["max-gap"];
  const longestWaitMs = maxGap === undefined ? undefined : parseSeconds(maxGap, "max-gap") * 1000;
  const progress = effects.showProgress("Replaying");
  try {
    const end = await replayEvent(
      resolveDataDirectory(values.data),
      {
        from,
        as,
        speed,
        longestWaitMs,
        signal,
        onPlan: (plan) => {
          writeNote(planWords({ from, as, plan, waitMs: plan.spanMs / speed }));
        },
        onRevision: (revision, { after, last }) => {
          progress.end();
          writeJsonLine(revision);
          progress.update(revision.of.sequence - after, last - after);
        },
      },
      effects,
    );
    if (end === "complete") return 0;
  } finally {
    progress.end();
  }
  writeNote("Interrupted. What was printed is published; the same command goes on from there.");
  return 1;
};

interface Announcement {
  readonly from: string;
  readonly as: string;
  readonly plan: { readonly after: number; readonly last: number; readonly publishedAs: number };
  /** All waits together, where none is cut short. */
  readonly waitMs: number;
}

function planWords({ from, as, plan, waitMs }: Announcement): string {
  if (plan.after >= plan.last) return `All of ${from} is replayed as ${as} already.`;
  const beginning = plan.publishedAs > 0 ? "Going on with" : "Replaying";
  return `${beginning} ${from} as ${as}: ${durationWords(waitMs)}, spaced as it was published.`;
}

function parseSpeed(text: string): number {
  const speed = parseNumber(text);
  if (isReplaySpeed(speed)) return speed;
  throw new UsageError(
    `--speed takes ${slowestReplay} to ${fastestReplay}, times the speed of publication, not "${text}".`,
  );
}

function parseSeconds(text: string, name: string): number {
  const seconds = parseNumber(text);
  if (seconds >= 0) return seconds;
  throw new UsageError(`--${name} takes seconds, not "${text}".`);
}

/** A plain decimal number; NaN for any other text. */
function parseNumber(text: string): number {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
}
