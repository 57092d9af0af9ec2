// Options that several commands have, and the parsers of option values. Every parser throws UsageError.
import { resolve } from "node:path";
import { Option } from "@commander-js/extra-typings";
import { isEventId } from "../../shared/contract/identifiers.ts";
import { defaultDataDirectory } from "../host/config/data-location.ts";
import { defaultStormPort } from "../host/config/host-config.ts";

/** A wrong command line: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function dataOption() {
  return new Option("--data <dir>", "data directory")
    .default(
      defaultDataDirectory(process.env, process.platform),
      "Echotop's folder in the system's application data",
    )
    .argParser((text) => resolve(text));
}

export function eventOption(description: string) {
  return new Option("--event <id>", description).argParser(parseEventId).makeOptionMandatory();
}

export function portOption(description: string) {
  return new Option("--port <number>", description).default(defaultStormPort).argParser(parsePort);
}

/** Returns the help text of a command's examples. */
export function example(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  echotop ${line}\n`).join("")}`.trimEnd();
}

export function parseEventId(text: string): string {
  if (isEventId(text)) return text;
  throw new UsageError(
    `"${text}" is not an event id: 1 to 64 lowercase letters, digits and inner hyphens, such as plains-2024-05-20.`,
  );
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port takes 0 to 65535, not "${text}".`);
  return port;
}

export function parseLabel(text: string): string {
  const label = text.trim();
  if (label === "") throw new UsageError("--label is empty.");
  return label;
}

export function parseOutFolder(text: string): string {
  if (text === "") throw new UsageError("--out is empty; it takes a folder.");
  return resolve(text);
}

/** Returns NaN for anything but a plain decimal number. */
export function parseDecimal(text: string): number {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
}
