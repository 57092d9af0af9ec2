// The schema of the log: `viewer { zones(filter) { httpRequestsAdaptiveGroups(filter, limit, orderBy) { count
// dimensions } } }`.
import {
  GraphQLEnumType,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import type { Zone } from "../zone.ts";
import { dimensions, Time } from "./dimensions.ts";
import { FilterInput } from "./filter-input.ts";
import { resolveGroups, type GroupsArguments, type GroupsContext } from "./resolve-groups.ts";

export interface SchemaContext extends GroupsContext {
  readonly zones: readonly Zone[];
}

const listOf = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));

const OrderBy = new GraphQLEnumType({
  name: "ZoneHttpRequestsAdaptiveGroupsOrderBy",
  values: Object.fromEntries(
    ["count", ...dimensions.map(({ name }) => name)].flatMap((by) => [
      [`${by}_ASC`, { value: { by, direction: 1 } }],
      [`${by}_DESC`, { value: { by, direction: -1 } }],
    ]),
  ),
});

const Dimensions = new GraphQLObjectType({
  name: "ZoneHttpRequestsAdaptiveGroupsDimensions",
  fields: Object.fromEntries(
    dimensions.map(({ name, type, isNullable }) => [
      name,
      { type: isNullable ? type : new GraphQLNonNull(type) },
    ]),
  ),
});

const Group = new GraphQLObjectType({
  name: "ZoneHttpRequestsAdaptiveGroups",
  fields: {
    count: { type: new GraphQLNonNull(GraphQLInt), description: "Requests of the group." },
    dimensions: { type: new GraphQLNonNull(Dimensions) },
  },
});

const ZoneType = new GraphQLObjectType<Zone, SchemaContext>({
  name: "Zone",
  fields: {
    zoneTag: { type: new GraphQLNonNull(GraphQLString), resolve: ({ id }) => id },
    httpRequestsAdaptiveGroups: {
      type: listOf(Group),
      description: "Requests that the gateway has answered, grouped by the requested dimensions.",
      args: {
        filter: { type: FilterInput, default: { value: {} } },
        limit: { type: new GraphQLNonNull(GraphQLInt), description: "1 to 5000" },
        orderBy: { type: new GraphQLList(new GraphQLNonNull(OrderBy)) },
      },
      resolve: ({ id }, args: GroupsArguments, context, info) => resolveGroups(id, args, context, info),
    },
  },
});

const ZoneFilter = new GraphQLInputObjectType({
  name: "ZoneFilter",
  fields: {
    zoneTag: { type: GraphQLString },
    zoneTag_in: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) },
  },
});

interface ZonesArguments {
  readonly filter: { readonly zoneTag?: string | null; readonly zoneTag_in?: readonly string[] | null };
}

const Viewer = new GraphQLObjectType<unknown, SchemaContext>({
  name: "Viewer",
  fields: {
    zones: {
      type: listOf(ZoneType),
      args: { filter: { type: new GraphQLNonNull(ZoneFilter) } },
      resolve: (_viewer, args: ZonesArguments, { zones }) => findZones(zones, args),
    },
  },
});

/** @throws GraphQLError for an unknown zone */
function findZones(
  zones: readonly Zone[],
  { filter: { zoneTag, zoneTag_in: tags } }: ZonesArguments,
): readonly Zone[] {
  const asked = [...(typeof zoneTag === "string" ? [zoneTag] : []), ...(tags ?? [])];
  if (asked.length === 0) throw new GraphQLError("The filter of zones needs a zoneTag.");
  return [...new Set(asked)].map((tag) => {
    const zone = zones.find(({ id }) => id === tag);
    if (zone === undefined)
      throw new GraphQLError(`There is no zone ${JSON.stringify(tag.slice(0, 64))} here.`);
    return zone;
  });
}

export const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: "Query",
    fields: { viewer: { type: new GraphQLNonNull(Viewer), resolve: () => ({}) } },
  }),
  types: [Time],
});
