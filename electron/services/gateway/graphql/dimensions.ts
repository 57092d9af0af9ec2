// The dataset's dimensions: their names, types and columns of the log.
import { GraphQLError, GraphQLInt, GraphQLScalarType, GraphQLString } from "graphql";
import * as z from "zod";
import type { RecordColumn } from "../log/conditions.ts";

const Instant = z.iso.datetime({ offset: true });

/** An instant: accepted with any offset and converted to milliseconds since 1970; returned as text in UTC. */
export const Time = new GraphQLScalarType<number, string>({
  name: "Time",
  description: "An instant, as 2026-11-20T12:00:00Z.",
  coerceInputValue(value) {
    const parsed = Instant.safeParse(value);
    if (!parsed.success) throw new GraphQLError("A Time is a text as 2026-11-20T12:00:00Z.");
    return Date.parse(parsed.data);
  },
  coerceOutputValue: String,
});

export interface Dimension {
  readonly name: string;
  readonly column: RecordColumn;
  readonly type: GraphQLScalarType;
  /** True if requests may have no value; null compares as the empty text. */
  readonly isNullable: boolean;
}

const define = (
  name: string,
  column: RecordColumn,
  type: GraphQLScalarType,
  isNullable = false,
): Dimension => ({ name, column, type, isNullable });

export const dimensions: readonly Dimension[] = [
  define("clientRequestHTTPHost", "host", GraphQLString),
  define("clientRequestPath", "path", GraphQLString),
  define("edgeResponseStatus", "status", GraphQLInt),
  define("userAgent", "userAgent", GraphQLString),
  define("verifiedBotCategory", "category", GraphQLString, true),
  define("redirectsForAiTrainingTarget", "target", GraphQLString, true),
  define("datetime", "at", Time),
  define("datetimeMinute", "minute", Time),
  define("datetimeFiveMinutes", "fiveMinutes", Time),
  define("datetimeFifteenMinutes", "fifteenMinutes", Time),
  define("datetimeHour", "hour", Time),
];

/** Converts a value for the response. Periods are written without milliseconds. */
export function toOutput({ type, column }: Dimension, value: string | number | null): string | number | null {
  if (type !== Time || typeof value !== "number") return value;
  const iso = new Date(value).toISOString();
  return column === "at" ? iso : iso.replace(".000Z", "Z");
}
