// One reading of the dataset: what is asked becomes a query of the log, and its groups are put in order.
import { GraphQLError, type GraphQLResolveInfo } from "graphql";
import type { KeptRequestLog } from "../log/open-request-log.ts";
import type { RecordGroup } from "../log/read-records.ts";
import { toOutput, type Dimension } from "./dimensions.ts";
import { toCondition } from "./filter-input.ts";
import { findSelectedDimensions } from "./selected-dimensions.ts";

export interface Order {
  /** `count`, or a dimension's name. */
  readonly by: string;
  readonly direction: 1 | -1;
}

export interface GroupsArguments {
  readonly filter: Readonly<Record<string, unknown>> | null;
  readonly limit: number;
  readonly orderBy?: readonly Order[] | null;
}

/** What one request may still ask for. */
export interface Allowance {
  readings: number;
  /** Of the answer, all fields of all groups. */
  values: number;
}

export interface GroupsContext {
  readonly log: Pick<KeptRequestLog, "groups">;
  readonly signal: AbortSignal;
  readonly allowance: Allowance;
  /** Fields that the query names. */
  readonly fieldCount: number;
}

export interface GroupOutput {
  readonly count: number;
  readonly dimensions: Readonly<Record<string, string | number | null>>;
}

const maxLimit = 5_000;

/** @throws GraphQLError, AppError as the log does */
export async function resolveGroups(
  zoneId: string,
  { filter, limit, orderBy }: GroupsArguments,
  { log, signal, allowance, fieldCount }: GroupsContext,
  info: GraphQLResolveInfo,
): Promise<readonly GroupOutput[]> {
  if (limit < 1 || limit > maxLimit) throw new GraphQLError(`limit must be from 1 to ${maxLimit}.`);
  allowance.readings -= 1;
  if (allowance.readings < 0) throw new GraphQLError("One request may read the dataset only a few times.");
  const selected = findSelectedDimensions(info);
  const compare = toCompare(orderBy ?? [{ by: "count", direction: -1 }], selected);
  const by = selected.map(({ column }) => column);
  const groups = await log.groups({ zoneId, where: toCondition(filter ?? {}), by, signal });
  const shown = groups.toSorted(compare).slice(0, limit);
  allowance.values -= shown.length * fieldCount;
  if (allowance.values < 0) {
    throw new GraphQLError("The answer would be too large: ask for fewer groups or fewer fields.");
  }
  return shown.map(({ count, values }) => ({
    count,
    dimensions: Object.fromEntries(
      selected.map((dimension, at) => [dimension.name, toOutput(dimension, values[at]!)]),
    ),
  }));
}

type Compare = (a: RecordGroup, b: RecordGroup) => number;

/** Nulls come as the empty text. @throws GraphQLError for a dimension that is not asked for */
function toCompare(orders: readonly Order[], selected: readonly Dimension[]): Compare {
  const keys = orders.map(({ by, direction }) => {
    if (by === "count") return { valueOf: ({ count }: RecordGroup) => count, direction };
    const at = selected.findIndex(({ name }) => name === by);
    if (at < 0) throw new GraphQLError(`orderBy names ${by}, which is not among the dimensions asked for.`);
    return { valueOf: ({ values }: RecordGroup) => values[at] ?? "", direction };
  });
  return (a, b) => {
    for (const { valueOf, direction } of keys) {
      const [left, right] = [valueOf(a), valueOf(b)];
      if (left !== right) return left < right ? -direction : direction;
    }
    return 0;
  };
}
