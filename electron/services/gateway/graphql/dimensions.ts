// The names that the dataset's dimensions and filters have, and which column of the log each of them is.
import { GraphQLInt, GraphQLString, type GraphQLScalarType } from "graphql";
import type { RecordColumn } from "../log/conditions.ts";
import { Time } from "./time-scalar.ts";

export interface Dimension {
  readonly name: string;
  readonly column: RecordColumn;
  readonly type: GraphQLScalarType;
  /** Null for requests that have none; null compares as the empty text. */
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

/** A value as the dimension gives it out. Whole spans are told without their empty milliseconds. */
export function toOutput({ type, column }: Dimension, value: string | number | null): string | number | null {
  if (type !== Time || typeof value !== "number") return value;
  const iso = new Date(value).toISOString();
  return column === "at" ? iso : iso.replace(".000Z", "Z");
}
