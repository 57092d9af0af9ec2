// Derives the OpenAPI 3.1 document of the storm data read service from the table of operations and the schemas. Our
// additions to the contract have a tag of their own.
import * as z from "zod";
import { FrameClasses, FrameCoverage } from "./frame-metadata.ts";
import { StormRevisionReady, StreamMessage, StreamReady, streamPing, streamPong } from "./messages.ts";
import { operations, type Operation, type OperationResponse } from "./operations.ts";

export const openApiPath = "/v1/openapi.json";

type JsonObject = Record<string, unknown>;

const schemasBase = "#/components/schemas/";
const streamSchemas = [StreamReady, StormRevisionReady] as const;

/** Removes keywords that a schema inside an OpenAPI document does not have. */
function withoutDialect(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema" && key !== "$id"));
}

/** Returns every schema with an id, by id, with references between them. */
function toComponentSchemas(): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const schema of reachableSchemas()) {
    const id = schema.meta()?.id;
    if (id !== undefined) registry.add(schema, { ...schema.meta(), id });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => schemasBase + id, io: "output" });
  const named = Object.entries(schemas).map(
    ([id, schema]) => [id, withoutDialect(schema as JsonObject)] as const,
  );
  const streamMessage = {
    oneOf: streamSchemas.map((schema) => ({ $ref: schemasBase + String(schema.meta()?.id) })),
    discriminator: { propertyName: StreamMessage.def.discriminator },
  };
  return Object.fromEntries(
    [...named, ["StreamMessage", streamMessage] as const].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Finds the contract's schemas by walking operations and messages. */
function reachableSchemas(): Set<z.ZodType> {
  const found = new Set<z.ZodType>();
  const visit = (value: unknown): void => {
    if (value instanceof z.ZodType) {
      if (found.has(value)) return;
      found.add(value);
      visit(value.def);
    } else if (Array.isArray(value)) {
      value.forEach(visit);
    } else if (value instanceof Object && Object.getPrototypeOf(value) === Object.prototype) {
      Object.values(value).forEach(visit);
    }
  };
  visit([operations, streamSchemas, FrameClasses, FrameCoverage]);
  return found;
}

/** Returns a reference to a schema with an id, or the schema itself. */
function toSchemaOrReference(schema: z.ZodType): JsonObject {
  const id = schema.meta()?.id;
  return id === undefined
    ? withoutDialect(z.toJSONSchema(schema, { io: "output" }))
    : { $ref: schemasBase + id };
}

function toResponse({ description, content, headers }: OperationResponse): JsonObject {
  return {
    description,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [
          name,
          { description: text, schema: { type: "string" } },
        ]),
      ),
    }),
    ...(content && { content: { [content.type]: { schema: toContentSchema(content) } } }),
  };
}

function toContentSchema(content: NonNullable<OperationResponse["content"]>): JsonObject {
  switch (content.type) {
    case "application/json":
      return toSchemaOrReference(content.schema);
    case "image/png":
      return { type: "string", contentMediaType: "image/png" };
    case "application/octet-stream":
      return { type: "string", contentMediaType: content.type };
    case "text/plain":
      return { type: "string" };
  }
}

function toParameters(operation: Operation): JsonObject[] {
  const inPath = Object.entries(operation.pathParameters).map(([name, schema]) => ({
    name,
    in: "path",
    required: true,
    schema: toSchemaOrReference(schema),
  }));
  const inQuery = Object.entries(operation.query).map(([name, schema]) => ({
    name,
    in: "query",
    required: !schema.safeParse(undefined).success,
    schema: toSchemaOrReference(schema),
  }));
  const inHeader =
    operation.responses[304] === undefined
      ? []
      : [{ name: "If-None-Match", in: "header", required: false, schema: { type: "string" } }];
  return [...inPath, ...inQuery, ...inHeader];
}

function toOperationObject(operationId: string, operation: Operation): JsonObject {
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    toResponse(response),
  ]);
  return {
    operationId,
    summary: operation.summary,
    description: operation.description,
    ...(operation.isOurs && { tags: [additions.name] }),
    parameters: toParameters(operation),
    responses: {
      ...(Object.fromEntries(responses) as JsonObject),
      403: { $ref: "#/components/responses/OriginRefused" },
      421: { $ref: "#/components/responses/HostRefused" },
    },
    ...(operationId === "openStream" && {
      "x-websocket": {
        sends: { $ref: `${schemasBase}StreamMessage` },
        textPing: streamPing,
        textPong: streamPong,
      },
    }),
  };
}

const additions = {
  name: "Additions",
  description:
    "Addresses that Echotop adds beside the storm data read contract. Another service of the contract may lack them.",
} as const;

const errorContent = { "application/json": { schema: { $ref: `${schemasBase}Error` } } };

export function toOpenApiDocument(): JsonObject {
  return {
    openapi: "3.1.0",
    info: {
      title: "Storm data read service",
      version: "1.0.1",
      description:
        "Versioned read access to storm events, their map-ready weather revisions and frames. Every operation is a GET; HEAD works wherever GET does.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: [additions],
    paths: Object.fromEntries(
      Object.entries(operations).map(([id, operation]) => [
        operation.path,
        { get: toOperationObject(id, operation) },
      ]),
    ),
    components: {
      schemas: toComponentSchemas(),
      responses: {
        OriginRefused: {
          description: "The request comes from a page of another origin.",
          content: errorContent,
        },
        HostRefused: { description: "The Host header does not name this service.", content: errorContent },
      },
    },
  };
}
