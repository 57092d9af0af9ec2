// The command line as its users run it, killed at an instant.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { projectRoot } from "../../electron/support/host-process.ts";

export interface KilledCommand {
  readonly wasKilled: boolean;
  readonly code: number | null;
  /** The lines of standard output that came, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly errors: string;
}

export interface CommandKill {
  /** So many milliseconds after so many lines of output; after none, from the start of the process. */
  readonly lines: number;
  readonly ms: number;
}

export function runKilled(args: readonly string[], kill?: CommandKill): Promise<KilledCommand> {
  const child = spawn(process.execPath, [join(projectRoot, "electron", "cli.ts"), ...args], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: Record<string, unknown>[] = [];
  let errors = "";
  let timer: NodeJS.Timeout | undefined;
  const arm = (): void => {
    if (lines.length !== kill?.lines) return;
    timer = setTimeout(() => child.kill("SIGKILL"), kill.ms);
  };
  arm();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  createInterface({ input: child.stdout }).on("line", (line) => {
    // The last line of a killed process may be cut.
    if (!line.endsWith("}")) return;
    lines.push(JSON.parse(line) as Record<string, unknown>);
    arm();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ wasKilled: signal === "SIGKILL", code, lines, errors });
    });
  });
}
