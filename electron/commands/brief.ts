// `echotop brief`: an event and chosen revisions as HTML pages. The last line is `{"event","page","url","revisions","written",
// "unchanged","removed"}`.
import { resolve } from "node:path";
import { programFiles } from "../host/config/program-files.ts";
import { ensureBuilt } from "../build/build.ts";
import { publishBriefingFrom } from "../host/jobs/briefing-jobs.ts";
import { parseCommand, parseEventId, refusePositionals, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { parseRevisionList } from "./revision-list.ts";
import { showWork, type WorkDisplay } from "./shown-work.ts";

export const brief: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, {
    data: { type: "string" },
    out: { type: "string" },
    revisions: { type: "string" },
    base: { type: "string" },
  });
  const [event, ...others] = positionals;
  if (event === undefined || event === "") throw new UsageError("brief takes the id of an event.");
  refusePositionals(others);
  if (values.out === "") throw new UsageError("--out takes the folder of the pages.");
  const request = {
    eventId: parseEventId(event),
    baseUrl: parseBase(values.base),
    ...(values.revisions === undefined ? {} : parseRevisionList(values.revisions)),
  };
  const run = async ({ line, progress }: WorkDisplay): Promise<number> => {
    await ensureBuilt(["briefing-map"]);
    const published = await publishBriefingFrom(resolveDataDirectory(values.data), {
      ...request,
      directory: values.out === undefined ? undefined : resolve(values.out),
      mapFile: programFiles.briefingMapFile,
      signal: context.signal,
      onProgress: progress,
    });
    const { eventId, page, url = null, revisionPages: revisions, written, unchanged, removed } = published;
    line({ event: eventId, page, url, revisions, written, unchanged, removed });
    return 0;
  };
  const whenInterrupted = "A briefing that was there before is as it was.";
  return showWork(context, { label: "Drawing stills", whenInterrupted, run });
};

function parseBase(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i.test(text) && URL.canParse(text)) return text;
  throw new UsageError(
    `--base takes a plain http or https address, such as https://brief.example/, not "${text}".`,
  );
}
