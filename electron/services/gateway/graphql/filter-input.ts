// The dataset's filter: a field for each dimension and comparison (`clientRequestPath_like`), and AND and OR of
// filters. It becomes a condition of the log, whose size is limited.
import {
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputFieldConfig,
} from "graphql";
import { graphqlLimits } from "../gateway-limits.ts";
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

/** By the field's name; the dimension's name alone means equality. */
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

/**
 * `filter` is as the schema has coerced it.
 * @throws GraphQLError for a filter that is too large, and for a meaningless null
 */
export function toCondition(filter: Filter): Condition {
  const budget = { left: graphqlLimits.filterValues, patternsLeft: graphqlLimits.filterPatternChars };
  return toAll(filter, budget, 1);
}

interface Budget {
  left: number;
  /** Characters. */
  patternsLeft: number;
}

function spend(budget: Budget, values: number): void {
  budget.left -= values;
  if (budget.left < 0) throw new GraphQLError(`A filter has at most ${graphqlLimits.filterValues} values.`);
}

function toAll(filter: Filter, budget: Budget, depth: number): Condition {
  const { filterDepth } = graphqlLimits;
  if (depth > filterDepth) throw new GraphQLError(`Filters may be nested at most ${filterDepth} deep.`);
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
    const { patternChars, filterPatternChars } = graphqlLimits;
    if (pattern.length > patternChars) {
      throw new GraphQLError(`The filter ${name} has at most ${patternChars} characters.`);
    }
    budget.patternsLeft -= pattern.length;
    if (budget.patternsLeft < 0) {
      throw new GraphQLError(
        `The patterns of a filter have at most ${filterPatternChars} characters together.`,
      );
    }
    return { kind, column, pattern };
  }
  return { kind, column, value: (value ?? "") as string | number };
}
