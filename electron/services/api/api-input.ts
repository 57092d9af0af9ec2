// Reads the input of control plane requests with a schema; an error becomes one sentence that names the field.
import * as z from "zod";

export const flag = z.boolean("must be true or false");

/** Returns the schema of a whole number in a query. */
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

/**
 * Both functions throw what `refuse` makes of a sentence. A schema's message continues after the field's name: "must
 * be a text".
 */
export function createInput(refuse: (message: string) => Error) {
  return {
    parseFields: <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      throw refuse(toSentence(parsed.error.issues[0]!, value));
    },
    /** Ignores keys that the schema does not have; refuses a repeated parameter. */
    parseQuery: <Schema extends z.ZodObject>(schema: Schema, query: URLSearchParams): z.output<Schema> => {
      const fields: Record<string, string> = {};
      for (const key of Object.keys(schema.shape)) {
        const values = query.getAll(key);
        if (values.length > 1) throw refuse(`The parameter ${key} is given more than once.`);
        if (values[0] !== undefined) fields[key] = values[0];
      }
      const parsed = schema.safeParse(fields);
      if (parsed.success) return parsed.data;
      const { path, message } = parsed.error.issues[0]!;
      throw refuse(`The parameter ${nameOf(path)} ${message}.`);
    },
  };
}

function toSentence(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "unrecognized_keys") {
    return `The field ${nameOf([...issue.path, issue.keys[0]!])} cannot be set here.`;
  }
  if (issue.path.length === 0) return "A JSON object with fields is needed.";
  const isMissing = valueAt(value, issue.path) === undefined;
  return `The field ${nameOf(issue.path)} ${isMissing ? "is missing" : issue.message}.`;
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
