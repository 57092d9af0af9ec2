// `echotop archive`: makes an event read-only.
import { Command } from "@commander-js/extra-typings";
import { openExisting, useCatalog } from "../host/jobs/stores.ts";
import type { DefineCommand } from "./command.ts";
import { eventOption, example } from "./option-values.ts";
import { writeJsonLine } from "./output.ts";
import { configOption, onStores, storesOption } from "./stores-option.ts";

export const archive: DefineCommand = (submit) =>
  new Command("archive")
    .summary("make an event read-only")
    .description("Makes an event read-only permanently. Prints one JSON line.")
    .addOption(eventOption("event to archive"))
    .addOption(storesOption())
    .addOption(configOption())
    .addHelpText("after", example("archive --event plains-2024-05-20"))
    .action(({ event, ...options }) => {
      submit(
        onStores(options, async ({ effects, location }) => {
          await useCatalog(location, openExisting(effects), (catalog) => catalog.archiveEvent(event));
          writeJsonLine({ event, status: "archived" });
          return 0;
        }),
      );
    });
