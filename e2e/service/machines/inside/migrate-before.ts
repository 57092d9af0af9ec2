// Runs on a machine in place of `echotop migrate`: brings the database of a configuration file to the version before
// the newest, as the program before this one would.
import { readFileSync } from "node:fs";
import {
  migrateService,
  serviceMigrations,
} from "../../../../electron/catalog/postgres/schema/service-schema.ts";
import { openDatabase } from "../../../../electron/platform/postgres/database.ts";

const { catalog } = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as {
  readonly catalog: { readonly url: string };
};
const database = await openDatabase(catalog);
await migrateService(database, serviceMigrations.slice(0, -1));
await database.close();
