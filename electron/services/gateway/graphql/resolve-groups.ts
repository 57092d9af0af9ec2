// Reads the dataset once: the query becomes a query of the log, and its groups are sorted.
import {
  getDirectiveValues,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type GraphQLResolveInfo,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { graphqlLimits } from "../gateway-limits.ts";
import type { RequestLog } from "../log/request-log.ts";
import type { RecordGroup } from "../log/record-store.ts";
import { dimensions, toOutput, type Dimension } from "./dimensions.ts";
import { toCondition } from "./filter-input.ts";

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

/** Remaining budget of one request; counted down. */
export interface Allowance {
  readings: number;
  /** Values in the response: all fields of all groups. */
  values: number;
}

export interface GroupsContext {
  readonly log: Pick<RequestLog, "groups">;
  readonly signal: AbortSignal;
  readonly allowance: Allowance;
  /** Fields that the query names. */
  readonly fieldCount: number;
}

export interface GroupOutput {
  readonly count: number;
  readonly dimensions: Readonly<Record<string, string | number | null>>;
}

/** @throws GraphQLError, AppError as the log does */
export async function resolveGroups(
  zoneId: string,
  { filter, limit, orderBy }: GroupsArguments,
  { log, signal, allowance, fieldCount }: GroupsContext,
  info: GraphQLResolveInfo,
): Promise<readonly GroupOutput[]> {
  const { groups: maxLimit } = graphqlLimits;
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
    throw new GraphQLError("The response would be too large; ask for fewer groups or fewer fields.");
  }
  return shown.map(({ count, values }) => ({
    count,
    dimensions: Object.fromEntries(
      selected.map((dimension, at) => [dimension.name, toOutput(dimension, values[at]!)]),
    ),
  }));
}

type Compare = (a: RecordGroup, b: RecordGroup) => number;

/** Null sorts as the empty text. @throws GraphQLError for a dimension that is not requested */
function toCompare(orders: readonly Order[], selected: readonly Dimension[]): Compare {
  const keys = orders.map(({ by, direction }) => {
    if (by === "count") return { valueOf: ({ count }: RecordGroup) => count, direction };
    const at = selected.findIndex(({ name }) => name === by);
    if (at < 0) throw new GraphQLError(`orderBy names ${by}, which is not among the requested dimensions.`);
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

/** Returns the dimensions that the query selects: they define the groups, so they are needed before the log is read. */
function findSelectedDimensions(info: GraphQLResolveInfo): readonly Dimension[] {
  const names = new Set<string>();
  for (const { selectionSet } of info.fieldNodes) {
    for (const field of fieldsOf(selectionSet, info)) {
      if (field.name.value !== "dimensions") continue;
      for (const { name } of fieldsOf(field.selectionSet, info)) names.add(name.value);
    }
  }
  return dimensions.filter(({ name }) => names.has(name));
}

type Field = Extract<SelectionNode, { kind: typeof Kind.FIELD }>;

/** Yields the fields, with those of fragments, without those that directives exclude. */
function* fieldsOf(set: SelectionSetNode | undefined, info: GraphQLResolveInfo): Generator<Field> {
  for (const selection of set?.selections ?? []) {
    if (!isIncluded(selection, info)) continue;
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* fieldsOf(selection.selectionSet, info);
    else yield* fieldsOf(info.fragments[selection.name.value]?.selectionSet, info);
  }
}

function isIncluded(node: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues);
  return skip?.if !== true && include?.if !== false;
}
