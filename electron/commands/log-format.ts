// Form of standard error: lines for people, or one JSON object a line where the configuration file of `serve` asks for
// that. Decided before the command line is parsed, so that the first errors have the form too.
import { readFileSync } from "node:fs";
import { messageOf } from "../../shared/app-error.ts";
import type { Log } from "../platform/effects.ts";
import { sendNotesTo } from "./output.ts";

/** Returns true for arguments of `serve` with a file that asks for JSON, also if the rest of the file is invalid. */
export function wantsJsonLog([command, ...options]: readonly string[]): boolean {
  if (command !== "serve") return false;
  const index = options.findIndex((option) => /^--config(=|$)/.test(option));
  const path = options[index]?.split("=", 2)[1] ?? options[index + 1];
  if (index === -1 || path === undefined) return false;
  try {
    const file = JSON.parse(readFileSync(path, "utf8")) as { readonly log?: { readonly format?: unknown } };
    return file.log?.format === "json";
  } catch {
    return false;
  }
}

/** Makes notes, Node's warnings and the message of a crash entries of the log. */
export function sendAllTo(log: Log): void {
  sendNotesTo(log);
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => {
    log("warn", message, { name });
  });
  process.on("uncaughtException", (error) => {
    log("error", messageOf(error), { stack: error.stack });
    process.exit(1);
  });
}
