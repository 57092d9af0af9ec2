// Parses arguments of the REST routes and the binding.
import * as z from "zod";
import { createInput } from "../api/api-input.ts";
import { ArtifactsError } from "./artifacts-error.ts";

export const text = z.string("must be a string");

/** A JSON number; callers check its range. */
export const amount = z.number("must be a number");

/** Both throw ArtifactsError `INVALID_INPUT`. */
export const { parseFields, parseQuery } = createInput(
  (message) => new ArtifactsError("INVALID_INPUT", message),
);

/** @throws ArtifactsError `INVALID_INPUT` */
export function parseText(field: string, value: unknown): string {
  return parseFields(z.record(z.string(), text), { [field]: value })[field]!;
}
