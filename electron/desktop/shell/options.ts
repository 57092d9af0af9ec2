// The application's options on Electron's command line, which has Chromium's switches too: unknown options are ignored.
import { parseArgs } from "node:util";
import { AppError } from "../../../shared/app-error.ts";

export interface ShellOptions {
  readonly dataDirectory: string | undefined;
  readonly port: number | undefined;
}

/** `args` up to the first link, see `open-arguments.ts`. Throws `invalid-input`. */
export function parseShellOptions(args: readonly string[]): ShellOptions {
  const { values } = parseArgs({
    args: args.filter((arg) => /^--(data|port)=/.test(arg)),
    options: { data: { type: "string" }, port: { type: "string" } },
  });
  return {
    dataDirectory: values.data === "" ? undefined : values.data,
    port: values.port === undefined ? undefined : parsePort(values.port),
  };
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new AppError("invalid-input", `--port takes 0 to 65535, not "${text}".`);
  return port;
}
