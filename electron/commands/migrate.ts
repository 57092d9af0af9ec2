// `echotop migrate`: creates the tables of a service, or brings them to this program's version.
import { Command } from "@commander-js/extra-typings";
import type { DefineCommand } from "./command.ts";
import { example, UsageError } from "./option-values.ts";
import { writeJsonLine } from "./output.ts";
import { configOption, loadServiceConfig } from "./stores-option.ts";

export const migrate: DefineCommand = (submit) =>
  new Command("migrate")
    .summary("create or update the database of a service")
    .description(
      "Creates the tables of a service in an empty database, or brings them to the version of this program, also while the service runs. Prints one JSON line. The database and the bucket must exist.",
    )
    .addOption(configOption().makeOptionMandatory())
    .addHelpText("after", example("migrate --config service.json"))
    .action(({ config }) => {
      submit(async ({ effects }) => {
        const { stores } = await loadServiceConfig(config, effects.now());
        if (stores === undefined) {
          throw new UsageError("--config names no service: the file needs the keys catalog and objects.");
        }
        const { migrateServiceStores } = await import("../catalog/stores/service-stores.ts");
        const { from, to } = await migrateServiceStores(stores);
        writeJsonLine({ migrated: from !== to, from, to });
        return 0;
      });
    });
