// The user's choices, stored in the data directory: `settings.json`.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { AppError } from "../../../shared/app-error.ts";
import { ConfiguredOverlay, overlaySourceLimits } from "../../../shared/contract/overlays.ts";
import { LiveSource } from "../../../shared/contract/live.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { createMutex } from "../../platform/locks/mutex.ts";

export const Settings = z.object({
  schemaVersion: z.literal(1),
  /** Repository hosting, independent of the configuration file. */
  hosting: z.boolean(),
  /** The TLS listener for other computers. */
  lan: z.boolean(),
  /** The gateway; files of earlier versions lack it. */
  gateway: z.boolean().default(false),
  /** The live feed of the viewer: its last source, and if it runs. Files of earlier versions lack it. */
  live: z.looseObject({ source: LiveSource, on: z.boolean() }).nullable().default(null),
  /** Addresses and folders of overlays. Files of earlier versions lack them. */
  overlays: z.array(ConfiguredOverlay).max(overlaySourceLimits.sources).default([]),
});
export type Settings = z.infer<typeof Settings>;

/** Keeps the keys of a newer version. */
const StoredSettings = Settings.loose();

const initial: Settings = Settings.parse({ schemaVersion: 1, hosting: false, lan: false });

export interface SettingsFile {
  readonly current: () => Settings;
  /**
   * Resolves when the change is durable. Keeps what another process changed meanwhile, and the keys of a newer version.
   * @throws AppError `stored-data-invalid`; `storage-failed`
   */
  change(difference: Partial<Omit<Settings, "schemaVersion">>): Promise<void>;
}

/** Everything is off if there is no file. @throws AppError `stored-data-invalid`; `storage-failed` */
export async function openSettings(directory: string): Promise<SettingsFile> {
  const path = join(directory, "settings.json");
  let settings = await readSettings(path);
  const mutex = createMutex();
  return {
    current: () => settings,
    change: (difference) =>
      mutex(async () => {
        const changed = { ...(await readSettings(path)), ...difference };
        try {
          await replaceFile(path, `${JSON.stringify(changed, undefined, 2)}\n`);
        } catch (error) {
          throw toStorageError(error, "The settings could not be saved");
        }
        settings = changed;
      }),
  };
}

async function readSettings(path: string): Promise<Settings> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return initial;
    throw new AppError("storage-failed", "The settings of the data directory cannot be read.", {
      cause: error,
    });
  }
  try {
    return StoredSettings.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError(
      "stored-data-invalid",
      "settings.json in the data directory is damaged; remove it to start with everything off.",
      {
        cause: error,
      },
    );
  }
}
