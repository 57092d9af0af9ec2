// The dataset's filter: a field for each dimension and comparison (`clientRequestPath_like`), and AND and OR of filters. What comes
// in becomes a condition of the log, whose size is bounded.
import {
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputFieldConfig,
} from "graphql";
import type { Condition } from "../log/conditions.ts";
import { dimensions, type Dimension } from "./dimensions.ts";

const comparisons = ["eq", "neq", "lt", "leq", "gt", "geq"] as const;
const lists = ["in", "notin"] as const;
const patterns = ["like", "notlike"] as const;
type Kind = (typeof comparisons)[number] | (typeof lists)[number] | (typeof patterns)[number];

interface Comparison {
  readonly dimension: Dimension;
  readonly kind: Kind;
}

/** Of all filters in each other, with every value of a list. */
const maxValues = 1_000;
const maxDepth = 8;
const maxPatternLength = 1_024;
/** Of all patterns together. */
const maxPatternsLength = 4_096;

/** By the field's name: that of the dimension alone asks for equality. */
const fields: ReadonlyMap<string, Comparison> = new Map(
  dimensions.flatMap((dimension) =>
    kindsOf(dimension).map((kind) => {
      const name = kind === "eq" ? dimension.name : `${dimension.name}_${kind}`;
      return [name, { dimension, kind }] as const;
    }),
  ),
);

function kindsOf({ type }: Dimension): readonly Kind[] {
  return type === GraphQLString ? [...comparisons, ...lists, ...patterns] : [...comparisons, ...lists];
}

export const FilterInput: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: "ZoneHttpRequestsAdaptiveGroupsFilter_InputObject",
  fields: () => ({
    ...Object.fromEntries([...fields].map(([name, comparison]) => [name, toField(comparison)])),
    AND: { type: new GraphQLList(new GraphQLNonNull(FilterInput)) },
    OR: { type: new GraphQLList(new GraphQLNonNull(FilterInput)) },
  }),
});

function toField({ dimension: { type }, kind }: Comparison): GraphQLInputFieldConfig {
  const isList = kind === "in" || kind === "notin";
  return { type: isList ? new GraphQLList(new GraphQLNonNull(type)) : type };
}

type Filter = Readonly<Record<string, unknown>>;

/** `filter` is as the schema has coerced it. @throws GraphQLError for one that asks too much, and for a null that means nothing */
export function toCondition(filter: Filter): Condition {
  const budget = { left: maxValues, patternsLeft: maxPatternsLength };
  return toAll(filter, budget, 1);
}

interface Budget {
  left: number;
  /** Characters. */
  patternsLeft: number;
}

function spend(budget: Budget, values: number): void {
  budget.left -= values;
  if (budget.left < 0) throw new GraphQLError(`A filter has at most ${maxValues} values.`);
}

function toAll(filter: Filter, budget: Budget, depth: number): Condition {
  if (depth > maxDepth) throw new GraphQLError(`Filters may stand in each other at most ${maxDepth} deep.`);
  const of = Object.entries(filter).map(([name, value]): Condition => {
    if (name !== "AND" && name !== "OR") return toComparison(name, value, budget);
    if (value === null) throw new GraphQLError(`The filter ${name} cannot be null.`);
    spend(budget, 1);
    const inner = (value as readonly Filter[]).map((one) => toAll(one, budget, depth + 1));
    return { kind: name === "AND" ? "all" : "any", of: inner };
  });
  return { kind: "all", of };
}

function toComparison(name: string, value: unknown, budget: Budget): Condition {
  const { dimension, kind } = fields.get(name)!;
  const { column, isNullable } = dimension;
  if (kind === "in" || kind === "notin") {
    if (value === null) throw new GraphQLError(`The filter ${name} cannot be null.`);
    const values = value as readonly (string | number)[];
    spend(budget, values.length);
    return { kind, column, values };
  }
  spend(budget, 1);
  if (value === null && !(isNullable && (kind === "eq" || kind === "neq"))) {
    throw new GraphQLError(`The filter ${name} cannot be null.`);
  }
  if (kind === "like" || kind === "notlike") {
    const pattern = value as string;
    if (pattern.length > maxPatternLength) {
      throw new GraphQLError(`The filter ${name} has at most ${maxPatternLength} characters.`);
    }
    budget.patternsLeft -= pattern.length;
    if (budget.patternsLeft < 0) {
      throw new GraphQLError(
        `The patterns of a filter have at most ${maxPatternsLength} characters together.`,
      );
    }
    return { kind, column, pattern };
  }
  return { kind, column, value: (value ?? "") as string | number };
}
