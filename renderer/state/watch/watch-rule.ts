// A watch rule: a class of a layer, a part of the ground, and how the person wants to hear of a storm there.
import * as z from "zod";
import { Coordinate, ProductId } from "../../../shared/contract/index.ts";

export const watchLimits = { rules: 20, labelLength: 80, kilometers: 500 } as const;

export const WatchArea = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("view") }),
  z.strictObject({ kind: z.literal("event") }),
  z.strictObject({
    kind: z.literal("near"),
    label: z.string().min(1).max(watchLimits.labelLength),
    coordinate: Coordinate,
    withinKm: z.number().positive().max(watchLimits.kilometers),
  }),
]);
export type WatchArea = z.infer<typeof WatchArea>;

/** `HH:MM` on the clock of this computer. */
const ClockMinute = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

export const WatchRule = z.strictObject({
  id: z.string().min(1).max(40),
  isOn: z.boolean(),
  layer: ProductId,
  /** Lower edge of the first class that counts, in the layer's unit. */
  lower: z.number().min(0).max(300),
  area: WatchArea,
  notice: z.boolean(),
  sound: z.boolean(),
  speech: z.boolean(),
  /** A time of the day without notice, sound and speech; over midnight if it ends before it starts. */
  quiet: z.strictObject({ from: ClockMinute, to: ClockMinute }).nullable(),
});
export type WatchRule = z.infer<typeof WatchRule>;

/** @param minute minute of the day on the clock of this computer */
export function isQuiet({ quiet }: Pick<WatchRule, "quiet">, minute: number): boolean {
  if (!quiet) return false;
  const [from, to] = [toMinute(quiet.from), toMinute(quiet.to)];
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

function toMinute(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}
