// POST /graphql: the log by GraphQL. The response is GraphQL's own, without the envelope. Faults of a query are in its
// `errors`, with status 200, or 400 if there is no query at all.
import {
  execute,
  GraphQLError,
  Kind,
  parse,
  validate,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type SelectionSetNode,
} from "graphql";
import { isAppError } from "../../../../shared/app-error.ts";
import type { ApiReply, ApiRequest, ApiRoute } from "../../api/api-part.ts";
import { jsonType } from "../../http/answer.ts";
import { graphqlLimits } from "../gateway-limits.ts";
import type { RequestLog } from "../log/request-log.ts";
import type { Zone } from "../zone.ts";
import { schema, type SchemaContext } from "./graphql-schema.ts";

export interface GraphqlOptions {
  readonly zones: readonly Zone[];
  readonly log: Pick<RequestLog, "groups">;
}

export function createGraphqlRoute(options: GraphqlOptions): ApiRoute {
  return {
    method: "POST",
    path: "/graphql",
    permission: "zone-settings:read",
    handle: async (request) => {
      const asked = readBody(request.body);
      if (asked instanceof GraphQLError) return toReply({ errors: [asked] }, 400);
      return toReply(await answer(asked, options, request), 200);
    },
  };
}

interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

function readBody(body: unknown): Asked | GraphQLError {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const query = fields.query;
  const variables = fields.variables ?? {};
  const operationName = fields.operationName ?? undefined;
  if (typeof query !== "string") return new GraphQLError("The body needs a query, which is a text.");
  if (typeof variables !== "object" || Array.isArray(variables)) {
    return new GraphQLError("The variables must be an object.");
  }
  if (!isShallow(variables, graphqlLimits.variableDepth)) {
    return new GraphQLError(`The variables may be nested at most ${graphqlLimits.variableDepth} deep.`);
  }
  if (operationName !== undefined && typeof operationName !== "string") {
    return new GraphQLError("The operationName must be a text.");
  }
  return { query, variables: variables as Readonly<Record<string, unknown>>, operationName };
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/** Throws internal faults, and the signal's reason. */
async function answer(
  { query, variables, operationName }: Asked,
  { zones, log }: GraphqlOptions,
  { signal }: ApiRequest,
): Promise<ExecutionResult> {
  const document = parseDocument(query);
  if ("errors" in document) return document;
  const allowance = { readings: graphqlLimits.readings, values: graphqlLimits.responseValues };
  const contextValue: SchemaContext = { zones, log, signal, allowance, fieldCount: document.fieldCount };
  const result = await execute({
    ...{ schema, document: document.document, contextValue, variableValues: variables },
    ...(operationName !== undefined && { operationName }),
  });
  return { ...result, ...(result.errors && { errors: result.errors.map(toTellable) }) };
}

interface Parsed {
  readonly document: DocumentNode;
  readonly fieldCount: number;
}

function parseDocument(query: string): Parsed | { readonly errors: readonly GraphQLError[] } {
  const { tokens: maxLexicalTokens, errors: maxErrors } = graphqlLimits;
  try {
    const document = withKnownScalars(parse(query, { maxLexicalTokens, noLocation: false }));
    const errors = validate(schema, document, undefined, { maxErrors });
    return errors.length > 0 ? { errors } : { document, fieldCount: countFields(document) };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** Scalars of other services' schemas that queries name for their variables. */
const knownScalars: Readonly<Record<string, string>> = { string: "String", uint64: "Int", int64: "Int" };

function withKnownScalars(document: DocumentNode): DocumentNode {
  return visit<DocumentNode>(document, {
    [Kind.NAMED_TYPE](node) {
      const known = Object.hasOwn(knownScalars, node.name.value) ? knownScalars[node.name.value] : undefined;
      return known === undefined ? undefined : { ...node, name: { ...node.name, value: known } };
    },
  });
}

/**
 * Counts the fields of all operations with fragments expanded: fragments in fragments can double with every step. The
 * document must be valid: its fragments exist and do not contain themselves.
 * @throws GraphQLError for a query that asks too much
 */
function countFields(document: DocumentNode): number {
  const { fields: maxFields, depth: maxDepth } = graphqlLimits;
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION
        ? [[definition.name.value, definition.selectionSet] as const]
        : [],
    ),
  );
  let count = 0;
  const countIn = (set: SelectionSetNode | undefined, depth: number): void => {
    for (const selection of set?.selections ?? []) {
      // Spreads count too: fragments that contain only others take time.
      count += 1;
      if (count > maxFields) throw new GraphQLError(`A query has at most ${maxFields} fields.`);
      if (depth > maxDepth) throw new GraphQLError(`A query is at most ${maxDepth} deep.`);
      if (selection.kind === Kind.FRAGMENT_SPREAD) countIn(fragments.get(selection.name.value), depth);
      else countIn(selection.selectionSet, selection.kind === Kind.FIELD ? depth + 1 : depth);
    }
  };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) countIn(definition.selectionSet, 1);
  }
  return count;
}

/** Returns faults of the query; throws anything else, which the listener handles. */
function toTellable(error: GraphQLError): GraphQLError {
  const { cause } = error;
  const isFault = cause instanceof GraphQLError || isAppError(cause, "invalid-input");
  if (isFault || !(cause instanceof Error)) return error;
  throw cause;
}

function toReply({ data, errors }: ExecutionResult, status: number): ApiReply {
  // A request that failed as a whole has no data. Errors come first, as GraphQL recommends.
  const body = { ...(errors && { errors }), ...(data !== undefined && { data }) };
  return {
    status,
    raw: Buffer.from(JSON.stringify(body)),
    headers: { "content-type": jsonType, "cache-control": "no-store" },
  };
}
