// Requests through curl, which sends the target unchanged and prints the raw response.
import { spawnSync } from "node:child_process";
import { runProgram } from "./run-program.ts";

export const hasCurl = spawnSync("curl", ["--version"]).status === 0;

export interface Answer {
  readonly status: number;
  /** Header values by lower-case name; the last value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Envelope {
  readonly result: unknown;
  readonly success: boolean;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly messages: readonly unknown[];
  readonly result_info?: Readonly<Record<string, unknown>>;
}

/** Returns curl's response; the target is sent as written. */
export async function curl(url: string, args: readonly string[] = []): Promise<Answer> {
  const { stdout } = await runProgram("curl", [
    "-sS",
    "-i",
    "--path-as-is",
    "--max-time",
    "60",
    ...args,
    url,
  ]);
  return parseAnswer(stdout);
}

export interface Call {
  readonly token?: string;
  readonly method?: string;
  readonly json?: unknown;
}

/** Calls the control plane with curl; the response must have a JSON body. */
export async function call(
  url: string,
  { token, method, json }: Call = {},
): Promise<Answer & { readonly envelope: Envelope }> {
  const answer = await curl(url, [
    ...(method === undefined ? [] : ["-X", method]),
    ...(token === undefined ? [] : ["-H", `Authorization: Bearer ${token}`]),
    ...(json === undefined
      ? []
      : ["-H", "Content-Type: application/json", "--data-binary", JSON.stringify(json)]),
  ]);
  return { ...answer, envelope: JSON.parse(answer.body.toString("utf8")) as Envelope };
}

function parseAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return parseAnswer(rest);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  return { status, headers, body: rest };
}
