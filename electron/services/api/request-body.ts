// The body of a REST request: a JSON object in UTF-8, or nothing. Whatever media type it says it has, it is read as JSON:
// a form that a page of another site posts carries an Origin and no token, and does not get here.
import { ApiRefusal, problems } from "./api-problems.ts";

export const maxBodyBytes = 65_536;

/** Undefined for an empty body. Throws ApiRefusal. */
export function parseBody(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (bytes.byteLength === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw Object.assign(new ApiRefusal(problems.bodyNotJson), { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ApiRefusal(problems.bodyNotObject);
  }
  return value as Readonly<Record<string, unknown>>;
}
