// Log lines for strangers: level, time and message; of the facts only numbers, switches and codes.
import * as z from "zod";
import { redact, removed, type OwnWords } from "./redact.ts";

const LogLine = z.object({
  time: z.iso.datetime(),
  level: z.enum(["info", "warn", "error"]),
  message: z.string(),
  facts: z.record(z.string(), z.unknown()).optional(),
});

/** Facts whose texts are codes of Echotop, Electron or Node, or sentences about an error. */
const spokenFacts: ReadonlySet<string> = new Set([
  ...["action", "code", "command", "error", "kind", "layer", "level", "permission", "problem", "product"],
  ...["reason", "status"],
]);

/** `line` is one of the log's JSON lines. */
export function describeLogLine(line: string, ownWords: OwnWords): string {
  const parsed = parse(line);
  if (parsed === undefined) return removed;
  const { time, level, message, facts = {} } = parsed;
  const told = Object.entries(facts).flatMap(([key, value]) => {
    if (!/^[a-z][A-Za-z]{0,30}$/.test(key)) return [];
    if (typeof value === "number" || typeof value === "boolean")
      return [`${redact(key, ownWords)}=${String(value)}`];
    return spokenFacts.has(key) && typeof value === "string" ? [`${key}=${redact(value, ownWords)}`] : [];
  });
  return [time, level, redact(message, ownWords), ...told].join(" ");
}

function parse(line: string): z.infer<typeof LogLine> | undefined {
  try {
    return LogLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
