// What callers of the zone routes hand in, read by a schema; a fault becomes one sentence that names the field.
import * as z from "zod";
import { invalidInput } from "./problems.ts";

export const flag = z.boolean("must be true or false");

export function text(least: number, most: number) {
  const message = `must be a text of ${least} to ${most} characters`;
  return z.string("must be a text").min(least, message).max(most, message);
}

/** A whole number in a query's text. */
export function digits(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string(message)
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

const instantMessage = "must be an instant as 2026-11-20T12:00:00Z";

/** As ISO in UTC, to the millisecond. */
export const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], instantMessage)
  .transform((value) => new Date(value).toISOString());

/** @throws ControlError 400 */
export function parseFields<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  if (issue.code === "unrecognized_keys") {
    throw invalidInput(`The field ${nameOf([...issue.path, issue.keys[0]!])} is none that can be set here.`);
  }
  if (issue.path.length === 0) throw invalidInput("A JSON object with fields is needed.");
  const isMissing = valueAt(value, issue.path) === undefined;
  throw invalidInput(`The field ${nameOf(issue.path)} ${isMissing ? "is missing" : issue.message}.`);
}

/** Other keys than the schema's are passed over. @throws ControlError 400, also for a repeated parameter */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: URLSearchParams,
): z.output<Schema> {
  const fields: Record<string, string> = {};
  for (const key of Object.keys(schema.shape)) {
    const values = query.getAll(key);
    if (values.length > 1) throw invalidInput(`The parameter ${key} is given more than once.`);
    if (values[0] !== undefined) fields[key] = values[0];
  }
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw invalidInput(`The parameter ${nameOf(issue.path)} ${issue.message}.`);
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map((key) => String(key).slice(0, 100)).join(".");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}
