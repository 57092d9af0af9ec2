// A settings file: JSON with every habit. A file that is not whole and right changes nothing.
import * as z from "zod";
import { toPlainName } from "../../../shared/overlays/reading/plain-text.ts";
import { Settings } from "./habits.ts";

export const settingsFileName = "echotop-settings.json";
export const mostSettingsBytes = 65_536;
/** Characters of a sentence, which may repeat a name of the file. */
const mostProblemLength = 200;

const SettingsFile = z.strictObject({
  format: z.literal("echotop-settings"),
  version: z.literal(1),
  settings: Settings,
});

export type ReadSettings = { readonly settings: Settings } | { readonly problem: string };

export function writeSettingsFile(settings: Settings): string {
  const file = { format: "echotop-settings", version: 1, settings } satisfies z.input<typeof SettingsFile>;
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Reads a file of at most `mostSettingsBytes`. The problem names the part that is wrong. */
export function parseSettingsFile(text: string): ReadSettings {
  if (text.length > mostSettingsBytes) return { problem: "it is larger than a settings file can be." };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: "it is not JSON." };
  }
  const parsed = SettingsFile.safeParse(json);
  if (parsed.success) return { settings: parsed.data.settings };
  const { path, message } = parsed.error.issues[0]!;
  const words = path.length === 0 ? message : `${path.join(".")}: ${message}`;
  return { problem: `${toPlainName(words).slice(0, mostProblemLength)}.` };
}
