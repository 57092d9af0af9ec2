// Conditions on records: a tree, its SQL with every value bound, and the scan that it needs. Null compares as empty
// text.

/** Columns for conditions and groups. `hour` and the like are the start of that period. */
const expressions = {
  host: "host",
  path: "path",
  status: "status",
  userAgent: "user_agent",
  category: "category",
  name: "name",
  reason: "reason",
  target: "target",
  at: "at",
  minute: "(at - at % 60000)",
  fiveMinutes: "(at - at % 300000)",
  fifteenMinutes: "(at - at % 900000)",
  hour: "(at - at % 3600000)",
} as const;
export type RecordColumn = keyof typeof expressions;

const nullable: readonly RecordColumn[] = ["category", "name", "target"];

const comparisons = { eq: "=", neq: "<>", lt: "<", leq: "<=", gt: ">", geq: ">=" } as const;
type Comparison = keyof typeof comparisons;
type Value = string | number;

export type Condition =
  | { readonly kind: Comparison; readonly column: RecordColumn; readonly value: Value }
  /** `%` matches any text, `_` one character, a backslash escapes them; case matters. */
  | { readonly kind: "like" | "notlike"; readonly column: RecordColumn; readonly pattern: string }
  | { readonly kind: "in" | "notin"; readonly column: RecordColumn; readonly values: readonly Value[] }
  | { readonly kind: "prefix"; readonly column: RecordColumn; readonly text: string }
  | { readonly kind: "all" | "any"; readonly of: readonly Condition[] };

export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
}

export function toColumnSql(column: RecordColumn): string {
  return expressions[column];
}

export function toSql(condition: Condition): Sql {
  switch (condition.kind) {
    case "all":
    case "any":
      return joinSql(condition.of.map(toSql), condition.kind);
    case "like":
    case "notlike": {
      const { kind, column, pattern } = condition;
      // Nothing matches a pattern with NUL, or one that ends in the middle of an escape.
      if (/\0|(?<!\\)(?:\\\\)*\\$/.test(pattern))
        return { text: kind === "like" ? "FALSE" : "TRUE", values: [] };
      const matches = `LIKE ? ESCAPE '\\'`;
      return kind === "like"
        ? { text: `${expressions[column]} ${matches}`, values: [pattern] }
        : { text: `NOT ${comparable(column)} ${matches}`, values: [pattern] };
    }
    case "in":
    case "notin": {
      // An empty list is not SQL.
      if (condition.values.length === 0)
        return { text: condition.kind === "in" ? "FALSE" : "TRUE", values: [] };
      const list = condition.values.map(() => "?").join(", ");
      const operator = condition.kind === "in" ? "IN" : "NOT IN";
      return { text: `${comparable(condition.column)} ${operator} (${list})`, values: condition.values };
    }
    case "prefix": {
      const { column, text } = condition;
      return { text: `substr(${expressions[column]}, 1, length(?)) = ?`, values: [text, text] };
    }
    default: {
      const { column, kind, value } = condition;
      return { text: `${comparable(column)} ${comparisons[kind]} ?`, values: [value] };
    }
  }
}

function joinSql(parts: readonly Sql[], kind: "all" | "any"): Sql {
  if (parts.length === 0) return { text: kind === "all" ? "TRUE" : "FALSE", values: [] };
  return {
    text: parts.map(({ text }) => `(${text})`).join(kind === "all" ? " AND " : " OR "),
    values: parts.flatMap(({ values }) => values),
  };
}

function comparable(column: RecordColumn): string {
  return nullable.includes(column) ? `coalesce(${expressions[column]}, '')` : expressions[column];
}

/** Returns the conditions that all must hold. */
function conjuncts(condition: Condition): readonly Condition[] {
  return condition.kind === "all" ? condition.of.flatMap(conjuncts) : [condition];
}

/** Returns the length of all patterns: at worst, the engine tries each character at every place of a text. */
export function toPatternLength(condition: Condition): number {
  if (condition.kind === "like" || condition.kind === "notlike") return condition.pattern.length;
  if (condition.kind !== "all" && condition.kind !== "any") return 0;
  return condition.of.reduce((length, part) => length + toPatternLength(part), 0);
}

export interface TimeRange {
  /** Included. */
  readonly sinceMs: number;
  /** Excluded. */
  readonly untilMs: number;
}

/** Returns the shortest period that contains all records that can match. */
export function toTimeRange(condition: Condition): TimeRange {
  let sinceMs = Number.MIN_SAFE_INTEGER;
  let untilMs = Number.MAX_SAFE_INTEGER;
  for (const part of conjuncts(condition)) {
    if (!("value" in part) || part.column !== "at" || typeof part.value !== "number") continue;
    const { kind, value } = part;
    if (kind === "geq" || kind === "eq") sinceMs = Math.max(sinceMs, value);
    if (kind === "gt") sinceMs = Math.max(sinceMs, value + 1);
    if (kind === "lt") untilMs = Math.min(untilMs, value);
    if (kind === "leq" || kind === "eq") untilMs = Math.min(untilMs, value + 1);
  }
  return { sinceMs, untilMs };
}

/** Conditions of the partial indices: few requests are from verified crawlers, and these are read most. */
export const scopeTexts = {
  all: "TRUE",
  verified: "category IS NOT NULL",
  redirects: "target IS NOT NULL",
} as const;
export type RecordScope = keyof typeof scopeTexts;

/** Returns the smallest index that contains all records that can match. */
export function toScope(condition: Condition): RecordScope {
  const parts = conjuncts(condition);
  if (parts.some((part) => needsText(part, "target"))) return "redirects";
  return parts.some((part) => needsText(part, "category")) ? "verified" : "all";
}

/** True if the condition cannot hold for null. */
function needsText(condition: Condition, column: RecordColumn): boolean {
  if (!("column" in condition) || condition.column !== column) return false;
  if (condition.kind === "like" || condition.kind === "prefix") return true;
  if (condition.kind === "in") return !condition.values.includes("");
  if (condition.kind === "neq") return condition.value === "";
  return condition.kind === "eq" && condition.value !== "";
}
