// The command line's grammar: options of each command, checked values, and the sentence for what is wrong with them.
import { parseArgs, type ParseArgsConfig } from "node:util";
import { isEventId } from "../../shared/contract/identifiers.ts";
import { messageOf } from "../../shared/app-error.ts";

/** The command line itself is wrong: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true; strict: true }>
>;

/** `parseArgs` with every complaint as a UsageError, and no option given twice unless it is a list. */
export function parseCommand<const T extends Options>(args: readonly string[], options: T): Parsed<T> {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    throw new UsageError(messageOf(error).replace(/\. To specify a positional.*$/s, "."));
  }
  const seen = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== "option") continue;
    if (seen.has(token.name) && options[token.name]?.multiple !== true) {
      throw new UsageError(`${token.rawName} is given twice.`);
    }
    seen.add(token.name);
  }
  return parsed;
}

export function requireOption(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new UsageError(`--${name} is required.`);
  return value;
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 0 && port <= 65_535)) throw new UsageError(`--port takes 0 to 65535, not "${text}".`);
  return port;
}

export function parseEventId(text: string): string {
  if (isEventId(text)) return text;
  throw new UsageError(
    `"${text}" is not an event id: 1 to 64 lower-case letters, digits and inner hyphens, such as plains-2024-05-20.`,
  );
}

export function parseChoice<const T extends string>(text: string, name: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new UsageError(`--${name} takes ${choices.join(" or ")}, not "${text}".`);
  return choice;
}

export function refusePositionals(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]!}" is one argument too many.`);
}
