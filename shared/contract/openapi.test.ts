import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { toOpenApiDocument } from "./openapi.ts";
import { operations, toPath } from "./operations.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = Record<string, Json>;

const document = JSON.parse(JSON.stringify(toOpenApiDocument())) as JsonObject;

function resolve(reference: string): Json | undefined {
  return reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<Json | undefined>((node, key) => (node as JsonObject | undefined)?.[key], document);
}

function* objectsIn(node: Json): Generator<JsonObject> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield node;
  for (const child of Object.values(node)) yield* objectsIn(child);
}

describe("the OpenAPI document", () => {
  test("is the one in assets; if not, run `node electron/services/storm/write-openapi.ts`", async () => {
    const kept = await readFile(new URL("../../assets/openapi.json", import.meta.url), "utf8");
    expect(JSON.parse(kept)).toEqual(document);
  });

  test("every reference in it leads somewhere", () => {
    const references = [...objectsIn(document)].flatMap(({ $ref }) =>
      typeof $ref === "string" ? [$ref] : [],
    );
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(resolve(reference), reference).toBeDefined();
  });

  test("has exactly the operations of the table", () => {
    const paths = document.paths as Record<string, { get: JsonObject }>;
    expect(Object.keys(paths).sort()).toEqual(
      Object.values(operations)
        .map(({ path }) => path)
        .sort(),
    );
    for (const [id, operation] of Object.entries(operations)) {
      const { get, ...others } = paths[operation.path]!;
      expect(others).toEqual({});
      expect(get.operationId).toBe(id);
      expect(get.tags ?? []).toEqual(operation.path.startsWith("/v1/") ? [] : ["Additions"]);
      expect(Object.keys(get.responses as JsonObject)).toEqual(
        expect.arrayContaining([...Object.keys(operation.responses), "403", "421"]),
      );
      const inPath = (get.parameters as JsonObject[]).filter((parameter) => parameter.in === "path");
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath.map(({ name }) => name)).toEqual(names);
    }
  });

  test("describes optional fields and limits", () => {
    const parameterOf = (path: string, name: string): Json | undefined =>
      (resolve(`#/paths`) as Record<string, { get: { parameters: JsonObject[] } }>)[
        path
      ]?.get.parameters.find((parameter) => parameter.name === name);
    expect(parameterOf("/v1/places/search", "q")).toMatchObject({
      required: true,
      schema: { type: "string", minLength: 2, maxLength: 160 },
    });
    expect(parameterOf("/v1/storm-events/{eventId}/revisions", "limit")).toMatchObject({
      required: false,
      schema: { type: "integer", minimum: 2, maximum: 360, default: 24 },
    });
    expect(parameterOf("/app/events/{eventId}/revisions", "limit")).toMatchObject({
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 360, default: 360 },
    });
    expect(parameterOf("/app/events/{eventId}/revisions", "before")).toMatchObject({
      required: false,
      schema: { type: "integer", minimum: 1 },
    });
    expect(resolve("#/components/schemas/StormEvent/required")).toEqual([
      "id",
      "kind",
      "label",
      "status",
      "retentionClass",
      "updatedAt",
    ]);
  });

  test("describes the stream's messages", () => {
    expect(resolve("#/components/schemas/StreamMessage")).toMatchObject({
      discriminator: { propertyName: "type" },
    });
    expect(resolve("#/components/schemas/StreamReady/required")).toEqual([
      "type",
      "schemaVersion",
      "eventId",
    ]);
    expect(resolve("#/components/schemas/StormRevisionReady/required")).toContain("manifestUrl");
  });
});

describe("paths", () => {
  test("are filled with encoded values", () => {
    expect(toPath("getFrame", { eventId: "a", productId: "mrms-mesh", frameId: "b/c" })).toBe(
      "/v1/storm-events/a/frames/mrms-mesh/b%2Fc.png",
    );
    expect(toPath("listStormEvents")).toBe("/v1/storm-events");
    expect(() => toPath("openStream")).toThrow("eventId");
  });
});
