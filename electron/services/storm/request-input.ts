// Reads an operation's typed parameters from a request's target, with the contract's own schemas; and the handlers that
// take them.
import type * as z from "zod";
import { AppError } from "../../../shared/app-error.ts";
import {
  operations,
  type Operation,
  type OperationId,
  type OperationInput,
} from "../../../shared/contract/operations.ts";
import type { Answer } from "../http/answer.ts";

/** Throws AppError if there is no answer; `wire-errors.ts` turns it into one. */
export type Handler<Id extends OperationId> = (input: OperationInput<Id>) => Answer | Promise<Answer>;

export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

const malformed = /%(?![0-9A-Fa-f]{2})/g;
const encodedOctet = /%([0-9A-Fa-f]{2})/g;
const unreserved = /[A-Za-z0-9._~-]/;

/**
 * Decodes needless percent-encoding in the path (RFC 3986, 6.2.2.2) and makes every other percent sign literal: no
 * later decoding can fail or produce a slash or a control character. Leaves the query as it is.
 */
export function normalizeTarget(target: string): string {
  if (!target.includes("%")) return target;
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  const decoded = path.replaceAll(encodedOctet, (_octet, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return unreserved.test(character) ? character : `%25${hex}`;
  });
  return decoded.replaceAll(malformed, "%25") + (end < 0 ? "" : target.slice(end));
}

/** Returns the decoded values of one query parameter. Throws `invalid-input` if the percent-encoding is not valid. */
function readQueryValues(target: string, name: string): string[] {
  const start = target.indexOf("?");
  if (start < 0) return [];
  const end = target.indexOf("#", start);
  const values: string[] = [];
  for (const pair of target.slice(start + 1, end < 0 ? undefined : end).split("&")) {
    const equals = pair.indexOf("=");
    const key = decodeFormText(equals < 0 ? pair : pair.slice(0, equals));
    if (key !== name) continue;
    const value = decodeFormText(equals < 0 ? "" : pair.slice(equals + 1));
    if (value === undefined)
      throw new AppError("invalid-input", `The percent-encoding of ${name} is not valid.`);
    values.push(value);
  }
  return values;
}

/** Returns undefined if the percent-encoding is not valid. */
function decodeFormText(text: string): string | undefined {
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

/**
 * Parses an operation's path and query parameters. `path` holds the path's values by name. Throws `invalid-input`, or
 * `not-found` if the operation treats a malformed path as an unknown one.
 */
export function parseInput<Id extends OperationId>(
  id: Id,
  path: Readonly<Record<string, string>>,
  target: string,
): OperationInput<Id> {
  const operation: Operation = operations[id];
  const input: Record<string, unknown> = {};
  for (const name in operation.pathParameters) {
    const result = operation.pathParameters[name]!.safeParse(path[name]);
    if (!result.success) throw malformedPath(operation, name);
    input[name] = result.data;
  }
  for (const name in operation.query) input[name] = parseQueryValue(operation.query[name]!, name, target);
  return input as OperationInput<Id>;
}

function parseQueryValue(schema: z.ZodType, name: string, target: string): unknown {
  const [value, ...more] = readQueryValues(target, name);
  if (more.length > 0) throw new AppError("invalid-input", `${name} must be given only once.`);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  if (value === undefined) throw new AppError("invalid-input", `${name} is required.`);
  throw new AppError("invalid-input", `${result.error.issues[0]!.message}.`);
}

function malformedPath(operation: Operation, name: string): AppError {
  return operation.malformedPathStatus === 400
    ? new AppError("invalid-input", `The ${name} in the path is not valid.`)
    : new AppError("not-found", `There is nothing at this address: the ${name} in the path is not valid.`);
}
