// What callers of the zone routes hand in.
import * as z from "zod";
import { createInput } from "../../api/api-input.ts";
import { invalidInput } from "./zone-problems.ts";

export function text(least: number, most: number) {
  const message = `must be a text of ${least} to ${most} characters`;
  return z.string("must be a text").min(least, message).max(most, message);
}

const instantMessage = "must be an instant as 2026-11-20T12:00:00Z";

/** As ISO in UTC, to the millisecond. */
export const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], instantMessage)
  .transform((value) => new Date(value).toISOString());

/** Both throw ApiRefusal 400. */
export const { parseFields, parseQuery } = createInput(invalidInput);
