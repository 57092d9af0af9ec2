// `echotop brief`: publishes an event and chosen revisions as HTML pages.
import { Argument, Command, Option } from "@commander-js/extra-typings";
import { briefingsIn } from "../host/config/data-location.ts";
import { programFiles } from "../host/config/program-files.ts";
import { openReadable, useStores } from "../host/jobs/stores.ts";
import type { DefineCommand } from "./command.ts";
import { example, parseEventId, parseOutFolder, UsageError } from "./option-values.ts";
import { parseRevisionList, type RevisionChoice } from "./revision-list.ts";
import { defaultRevisions } from "../sharing/briefings/briefing-limits.ts";
import { showWork } from "./shown-work.ts";
import { configOption, keptFolder, onStores, storesOption } from "./stores-option.ts";

export const brief: DefineCommand = (submit) =>
  new Command("brief")
    .summary("publish a briefing: an event as web pages")
    .description(
      "Publishes a briefing: plain HTML pages of an event and of chosen revisions. The last line is a summary in JSON.",
    )
    .addArgument(new Argument("<event>", "event to publish").argParser(parseEventId))
    .addOption(
      new Option("--revisions <list>", "sequences such as 3,5,9-12, or all, latest or latest:N")
        .default<RevisionChoice>({ newest: defaultRevisions }, `latest:${defaultRevisions}`)
        .argParser(parseRevisionList),
    )
    .addOption(
      new Option("--base <url>", "address that the folder will have (default: relative links)").argParser(
        parseBase,
      ),
    )
    .addOption(
      new Option("--out <dir>", "folder for the pages (default: DATA/briefings)").argParser(parseOutFolder),
    )
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("brief plains-2024-05-20 --base https://brief.example/"))
    .action((eventId, { base: baseUrl, out, revisions, ...options }) => {
      submit(
        onStores(options, (context) =>
          showWork(context, {
            label: "Drawing stills",
            whenInterrupted: "An earlier briefing of this event is unchanged.",
            run: async ({ line, progress }) => {
              const { ensureBuilt } = await import("../build/ensure-built.ts");
              await ensureBuilt(["briefing-map"]);
              const { publishBriefing } = await import("../sharing/briefings/publish-briefing.ts");
              const request = {
                eventId,
                baseUrl,
                directory: out ?? briefingsIn(keptFolder(options, context)),
                ...revisions,
              };
              const { location, signal } = context;
              const result = await useStores(location, openReadable, (stores) =>
                publishBriefing(request, {
                  ...stores,
                  mapFile: programFiles.briefingMapFile,
                  signal,
                  onProgress: progress,
                }),
              );
              const { page, url = null, revisionPages, written, unchanged, removed } = result;
              line({ event: eventId, page, url, revisions: revisionPages, written, unchanged, removed });
              return 0;
            },
          }),
        ),
      );
    });

function parseBase(text: string): string {
  if (/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i.test(text) && URL.canParse(text)) return text;
  throw new UsageError(
    `--base takes a plain http or https address, such as https://brief.example/, not "${text}".`,
  );
}
