// Runs the command line as users do and kills it at a chosen moment.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { echotopProgram, projectRoot } from "../../electron/support/host-process.ts";

export interface KilledCommand {
  readonly wasKilled: boolean;
  readonly code: number | null;
  /** The parsed lines of standard output up to the kill. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly errors: string;
}

export interface CommandKill {
  /** Number of output lines after which the wait of `ms` milliseconds starts; 0 starts it with the process. */
  readonly lines: number;
  readonly ms: number;
}

export function runKilled(args: readonly string[], kill?: CommandKill): Promise<KilledCommand> {
  const child = spawn(process.execPath, [echotopProgram, ...args], {
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
    // The last line of a killed process may be truncated.
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
