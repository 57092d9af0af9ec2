// What callers of REST and binding hand in, read by a schema; a fault becomes one sentence that names the field.
import * as z from "zod";
import { ArtifactsError } from "./artifacts-error.ts";

export const text = z.string("must be a string");
export const flag = z.boolean("must be true or false");

/** A number of JSON, judged further on. */
export const amount = z.number("must be a number");

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

/** @throws ArtifactsError `INVALID_INPUT` */
export function parseFields<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const field = issue.path.map(String).join(".");
  if (field === "") throw new ArtifactsError("INVALID_INPUT", "A JSON object with fields is needed.");
  const isMissing = valueAt(value, issue.path) === undefined;
  throw new ArtifactsError(
    "INVALID_INPUT",
    isMissing ? `The field ${field} is missing.` : `The field ${field} ${issue.message}.`,
  );
}

/** @throws ArtifactsError `INVALID_INPUT` */
export function parseText(field: string, value: unknown): string {
  return parseFields(z.record(z.string(), text), { [field]: value })[field]!;
}

/** Other keys than the schema's are passed over. @throws ArtifactsError `INVALID_INPUT`, also for a repeated parameter */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: URLSearchParams,
): z.output<Schema> {
  const fields: Record<string, string> = {};
  for (const key of Object.keys(schema.shape)) {
    const values = query.getAll(key);
    if (values.length > 1) {
      throw new ArtifactsError("INVALID_INPUT", `The parameter ${key} is given more than once.`);
    }
    if (values[0] !== undefined) fields[key] = values[0];
  }
  return parseFields(schema, fields);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}
