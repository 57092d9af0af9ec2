// Opens the settings of a data directory: read once from `gateway/settings.sqlite`, then kept in memory. One process
// has the file at a time, because it would not see the changes of another.
import { join } from "node:path";
import { AppError, messageOf } from "../../../../shared/app-error.ts";
import { openGatewayDatabase } from "./gateway-database.ts";
import { createZoneSettings, type SettingsEngine } from "./settings-engine.ts";
import { settingsMigrations, SettingsTables } from "./settings-tables.ts";
import type { ZoneSettings } from "./zone-settings.ts";
import { neverChanged, planChange } from "./zone-state.ts";

export interface FileSettingsOptions {
  /** The data directory. */
  readonly directory: string;
  readonly now: () => Date;
}

/** "Egws" in ASCII. */
const applicationId = 0x45677773;

/** @throws AppError `conflict`, `storage-failed`, `stored-data-invalid` */
export function openZoneSettings({ directory, now }: FileSettingsOptions): ZoneSettings {
  const database = openGatewayDatabase({
    path: join(directory, "gateway", "settings.sqlite"),
    applicationId,
    migrations: settingsMigrations,
    subject: "The gateway's settings",
    sharing: "exclusive",
    durability: "durable",
  });
  try {
    const engine = createFileEngine(new SettingsTables(database), now);
    const close = (): Promise<void> => {
      if (database.isOpen) database.close();
      return Promise.resolve();
    };
    return createZoneSettings({ ...engine, close });
  } catch (error) {
    database.close();
    throw error;
  }
}

function createFileEngine(tables: SettingsTables, now: () => Date): Omit<SettingsEngine, "close"> {
  const zones = tables.readZones();
  let revision = 0;
  const find: SettingsEngine["find"] = (zoneId) => zones.get(zoneId) ?? neverChanged;
  return {
    find,
    async change(zoneId, change, actor) {
      const at = now().toISOString();
      const { after, audited } = planChange(find(zoneId), change, at);
      try {
        tables.write({ zoneId, at, actor, action: change.action, ...audited }, change, after);
      } catch (error) {
        const sentence = `The gateway's settings cannot be written: ${messageOf(error)}.`;
        throw new AppError("storage-failed", sentence, { cause: error });
      }
      // Memory follows the disk: a change that cannot be written has no effect.
      zones.set(zoneId, after);
      revision += 1;
      return Promise.resolve(after);
    },
    audit: (zoneId, limit) => Promise.resolve(tables.readAudit(zoneId, limit)),
    revision: () => revision,
    refresh: () => Promise.resolve(),
    isCurrent: () => true,
  };
}
