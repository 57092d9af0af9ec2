// A log for machines: one JSON object a line with time, level, message and facts. Secrets are hidden wherever they
// appear, since messages of libraries and systems below us may repeat what they were given.
import type { Effects, Log } from "./effects.ts";

const hidden = "[hidden]";

/** Variables of the environment whose values are secrets. */
const secretVariables = ["PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] as const;

/** Facts that are secrets by their name. */
const secretName = /password|passwd|secret|token|authorization|cookie|access_?key/i;

/** Credentials in a URL, a bearer token, and a secret in a query. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"]+@/gi, `$1${hidden}@`],
  [/\bBearer\s+[^\s"]+/gi, `Bearer ${hidden}`],
  [/([?&](?:[\w-]*(?:password|secret|token|signature|credential)[\w-]*)=)[^&\s"]+/gi, `$1${hidden}`],
];

export interface JsonLogOptions {
  readonly now: () => Date;
  readonly write: (line: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function createJsonLog({ now, write, environment }: JsonLogOptions): Log {
  const given = secretVariables.flatMap((name) => environment[name] ?? []).filter((value) => value !== "");
  const values = given.flatMap((value) => [value, encodeURIComponent(value)]);
  const hide = (text: string): string => {
    let shown = text;
    for (const value of values) shown = shown.replaceAll(value, hidden);
    for (const [pattern, replacement] of secretTexts) shown = shown.replaceAll(pattern, replacement);
    return shown;
  };
  const replace = (key: string, value: unknown): unknown => {
    if (secretName.test(key) && value !== undefined && value !== null) return hidden;
    if (value instanceof Error) return hide(value.message);
    return typeof value === "string" ? hide(value) : value;
  };
  return (level, message, facts) => {
    const entry = { time: now().toISOString(), level, message: hide(message), ...(facts && { facts }) };
    write(`${JSON.stringify(entry, replace)}\n`);
  };
}

/** Returns effects that log in JSON to standard error, and show no progress there. */
export function withJsonLog(effects: Effects): Effects {
  return {
    ...effects,
    log: createJsonLog({
      now: effects.now,
      write: (line) => {
        process.stderr.write(line);
      },
      environment: process.env,
    }),
    showProgress: () => ({ update: () => undefined, end: () => undefined }),
  };
}
