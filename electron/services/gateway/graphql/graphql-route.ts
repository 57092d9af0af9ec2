// POST /graphql: the log by GraphQL. The answer is GraphQL's own, not the envelope; what is wrong with a query is in its
// `errors`, with status 200, or 400 where there is no query at all.
import {
  execute,
  GraphQLError,
  Kind,
  parse,
  validate,
  visit,
  type DocumentNode,
  type ExecutionResult,
} from "graphql";
import { isAppError } from "../../../../shared/app-error.ts";
import type { ApiReply, ApiRequest, ApiRoute } from "../../api/api-part.ts";
import { jsonType } from "../../http/answer.ts";
import type { KeptRequestLog } from "../log/open-request-log.ts";
import type { Zone } from "../zone.ts";
import { countFields } from "./query-size.ts";
import { schema, type SchemaContext } from "./graphql-schema.ts";

export interface GraphqlOptions {
  readonly zones: readonly Zone[];
  readonly log: Pick<KeptRequestLog, "groups">;
}

const maxTokens = 2_000;
const maxErrors = 10;
/** Of variables in each other. */
const maxVariableDepth = 16;
/** Readings of the dataset by one request, and values of its answer. */
const maxReadings = 8;
const maxValues = 200_000;

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
  if (!isShallow(variables, maxVariableDepth)) {
    return new GraphQLError(`The variables may stand in each other at most ${maxVariableDepth} deep.`);
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

/** Throws what is nobody's fault but ours, and the signal's reason. */
async function answer(
  { query, variables, operationName }: Asked,
  { zones, log }: GraphqlOptions,
  { signal }: ApiRequest,
): Promise<ExecutionResult> {
  const document = parseDocument(query);
  if ("errors" in document) return document;
  const allowance = { readings: maxReadings, values: maxValues };
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
  try {
    const document = withKnownScalars(parse(query, { maxTokens, noLocation: false }));
    const errors = validate(schema, document, undefined, { maxErrors });
    return errors.length > 0 ? { errors } : { document, fieldCount: countFields(document) };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** Queries that were written for other services name the scalars of their variables as those do. */
const knownScalars: Readonly<Record<string, string>> = { string: "String", uint64: "Int", int64: "Int" };

function withKnownScalars(document: DocumentNode): DocumentNode {
  return visit<DocumentNode>(document, {
    [Kind.NAMED_TYPE](node) {
      const known = Object.hasOwn(knownScalars, node.name.value) ? knownScalars[node.name.value] : undefined;
      return known === undefined ? undefined : { ...node, name: { ...node.name, value: known } };
    },
  });
}

/** Faults of a query are told; anything else is thrown, and becomes the listener's business. */
function toTellable(error: GraphQLError): GraphQLError {
  const { cause } = error;
  const isFault = cause instanceof GraphQLError || isAppError(cause, "invalid-input");
  if (isFault || !(cause instanceof Error)) return error;
  throw cause;
}

function toReply({ data, errors }: ExecutionResult, status: number): ApiReply {
  // A request that failed as a whole has no data; errors come first, as GraphQL recommends.
  const body = { ...(errors && { errors }), ...(data !== undefined && { data }) };
  return {
    status,
    raw: Buffer.from(JSON.stringify(body)),
    headers: { "content-type": jsonType, "cache-control": "no-store" },
  };
}
