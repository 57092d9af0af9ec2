// `echotop archive`: makes an event read-only.
import { Command } from "@commander-js/extra-typings";
import { atDirectory } from "../catalog/stores/located-stores.ts";
import { openExisting, useCatalog } from "../host/jobs/stores.ts";
import type { DefineCommand } from "./command.ts";
import { dataOption, eventOption, example } from "./option-values.ts";
import { writeJsonLine } from "./output.ts";

export const archive: DefineCommand = (submit) =>
  new Command("archive")
    .summary("make an event read-only")
    .description("Makes an event read-only permanently. Prints one JSON line.")
    .addOption(eventOption("event to archive"))
    .addOption(dataOption())
    .addHelpText("after", example("archive --event plains-2024-05-20"))
    .action(({ data, event }) => {
      submit(async ({ effects }) => {
        await useCatalog(atDirectory(data), openExisting(effects), (catalog) => catalog.archiveEvent(event));
        writeJsonLine({ event, status: "archived" });
        return 0;
      });
    });
