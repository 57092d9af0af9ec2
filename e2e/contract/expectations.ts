// Rules of every answer of the service.
import { expect } from "vitest";
import type * as z from "zod";
import { ErrorBody } from "../../shared/contract/primitives.ts";

/** Returns the body; it must have exactly the members of the schema. */
export async function expectJson<Schema extends z.ZodType>(
  response: Response,
  status: number,
  schema: Schema,
): Promise<z.output<Schema>> {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const body: unknown = await response.json();
  expect(schema.parse(body)).toEqual(body);
  expectStandingHeaders(response.headers);
  return body as z.output<Schema>;
}

/** Expects a JSON error whose sentence reveals nothing. */
export async function expectProblem(response: Response, status: number): Promise<string> {
  const { message } = await expectJson(response, status, ErrorBody);
  expectHarmless(message);
  expect(response.headers.get("etag")).toBeNull();
  return message;
}

export async function expectText(response: Response, status: number): Promise<string> {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expectStandingHeaders(response.headers);
  const text = await response.text();
  expectHarmless(text);
  return text;
}

/** Expects a sentence for a person, without stack, local path or internals. */
export function expectHarmless(text: string): void {
  expect(text.trim().length).toBeGreaterThan(0);
  expect(text.length).toBeLessThan(300);
  expect(text).not.toMatch(/\bat .*:\d+:\d+|node:|node_modules|\.ts\b|\/tmp\/|\/home\/|sqlite|Error:|FST_/i);
}

export function expectStandingHeaders(headers: Headers): void {
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(headers.get("x-powered-by")).toBeNull();
}
