// The habits as one value: what is kept between visits, and what a settings file holds. A view of the data is no habit:
// event, camera, pins and layout are kept apart (`../saved-view.ts`).
import * as z from "zod";
import { defaultPalette, paletteIds } from "../../../shared/products/palettes.ts";
import { mapThemes } from "../../basemap/ground-parts.ts";
import { commands, findOwner, isReserved, keysOf, rowOf, type Command } from "../../keyboard.ts";
import { cursorNotations, lengthUnits } from "../tools/tools-slice.ts";
import { WatchRule, watchLimits } from "../watch/watch-rule.ts";
import { clockHours, clockZones, textSizes } from "./settings-slice.ts";

const mostKeys = 4;
const KeyName = z
  .string()
  .min(1)
  .max(20)
  .refine((key) => !isReserved(key), "This key cannot be given to a command");

const OwnKeysRecord = z
  .partialRecord(z.enum(commands), z.array(KeyName).max(mostKeys).readonly())
  .superRefine((ownKeys, context) => {
    for (const command of Object.keys(ownKeys) as Command[]) {
      const key = keysOf(command, { ownKeys }).find((one) => findOwner(one, command, ownKeys));
      if (key === undefined) continue;
      const other = rowOf(findOwner(key, command, ownKeys)!).does;
      context.addIssue({
        code: "custom",
        path: [command],
        message: `The key ${key} is also that of “${other}”`,
      });
    }
  });

/** Strict: a file with a setting of another version is refused by its name. */
export const Settings = z.strictObject({
  ownKeys: OwnKeysRecord.default({}),
  characterKeys: z.boolean().default(true),
  clockZone: z.enum(clockZones).default("utc"),
  clockHours: z.literal(clockHours).default(24),
  hailUnits: z.enum(["in", "mm"]).default("in"),
  lengthUnit: z.enum(lengthUnits).default("mi"),
  cursorNotation: z.enum(cursorNotations).default("decimal"),
  textSize: z.literal(textSizes).default(100),
  theme: z.enum(mapThemes).default("dark"),
  palette: z.enum(paletteIds).default(defaultPalette),
  startsWhereLeft: z.boolean().default(true),
  watchRules: z.array(WatchRule).max(watchLimits.rules).readonly().default([]),
});
export type Settings = z.infer<typeof Settings>;

export const settingNames = Object.keys(Settings.shape) as (keyof Settings)[];

export const defaultSettings: Settings = Settings.parse({});

/** Returns the settings among the fields of a state or of a saved view. */
export function pickSettings(from: Settings): Settings {
  return Object.fromEntries(settingNames.map((name) => [name, from[name]])) as Settings;
}
