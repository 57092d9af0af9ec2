// A person's choices for the desktop, stored in the data directory: `desktop.json`.
import { readFileSync } from "node:fs";
import * as z from "zod";
import { UpdateMode } from "../../../shared/contract/desktop.ts";
import { replaceFileSync } from "../../platform/disk/replace-file.ts";
import type { Report } from "./application-options.ts";

export const DesktopSettings = z.object({
  schemaVersion: z.literal(1),
  updates: z.object({
    mode: UpdateMode,
    /** Folder of releases instead of the build's. */
    address: z.string().max(2_048).exactOptional(),
  }),
  notifications: z.boolean(),
});
export type DesktopSettings = z.infer<typeof DesktopSettings>;

const initial: DesktopSettings = { schemaVersion: 1, updates: { mode: "off" }, notifications: true };

/** Reads the file each time: a person may write the address while Echotop runs. */
export interface DesktopSettingsFile {
  readonly current: () => DesktopSettings;
  /** Takes effect even if the file cannot be written, which is reported. */
  readonly change: (difference: Partial<DesktopSettings>) => void;
}

/** A damaged file counts as none: updates are off. */
export function openDesktopSettings(path: string, report: Report): DesktopSettingsFile {
  let unwritten: Partial<DesktopSettings> = {};
  const current = (): DesktopSettings => ({ ...load(path, report), ...unwritten });
  return {
    current,
    change: (difference) => {
      unwritten = { ...unwritten, ...difference };
      try {
        replaceFileSync(path, `${JSON.stringify(current(), undefined, 2)}\n`);
        unwritten = {};
      } catch (error) {
        report("The choices for the desktop could not be saved.", { error });
      }
    },
  };
}

function load(path: string, report: Report): DesktopSettings {
  try {
    return DesktopSettings.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      report("desktop.json is damaged and was ignored.", { error });
    return initial;
  }
}
