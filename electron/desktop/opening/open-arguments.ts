// The files and links on a command line. Threat: a web page chooses a link's text, and a system's launcher may split
// it. So a link ends the command line: what follows it is neither an option nor a file.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

export interface OpenArguments {
  /** Arguments before the first link, of which some may be options. */
  readonly options: readonly string[];
  /** Absolute paths of files to open. */
  readonly paths: readonly string[];
  readonly link: string | undefined;
}

/** The beginning of everything that the system may hand over as a link of ours, in any case. */
const linkStart = /^\s*["']?\s*echotop:/i;

/** `args` without the executable and, in a checkout, without the application's folder. */
export function parseOpenArguments(args: readonly string[], workingDirectory: string): OpenArguments {
  const linkAt = args.findIndex((arg) => linkStart.test(arg));
  const before = linkAt === -1 ? args : args.slice(0, linkAt);
  const endOfOptions = before.indexOf("--");
  const options = endOfOptions === -1 ? before : before.slice(0, endOfOptions);
  const operands = [
    ...options.filter((arg) => !arg.startsWith("-")),
    ...(endOfOptions === -1 ? [] : before.slice(endOfOptions + 1)),
  ];
  return {
    options,
    paths: operands.flatMap((operand) => toPath(operand, workingDirectory) ?? []),
    link: linkAt === -1 ? undefined : args[linkAt],
  };
}

/** Linux hands over files as `file:` addresses, too. Returns undefined for any other address. */
function toPath(operand: string, workingDirectory: string): string | undefined {
  if (operand === "") return undefined;
  // A Windows path begins with a letter and a colon.
  if (!/^[a-z][a-z0-9+.-]+:/i.test(operand)) return resolve(workingDirectory, operand);
  try {
    return fileURLToPath(operand);
  } catch {
    return undefined;
  }
}
