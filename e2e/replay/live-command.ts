// A command of Echotop that a test follows line by line and may interrupt.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { echotopProgram, projectRoot } from "../../electron/support/host-process.ts";

export interface LiveCommand {
  /** Standard output as parsed JSON lines. Ends with the command. */
  readonly lines: AsyncIterable<unknown>;
  interrupt(): void;
  /** Kills the process, like a power cut. */
  kill(): void;
  /** Resolves with the exit status and standard error. */
  readonly ended: Promise<{ readonly status: number | null; readonly stderr: string }>;
}

export function startCommand(args: readonly string[]): LiveCommand {
  const child = spawn(process.execPath, [echotopProgram, ...args], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<{ status: number | null; stderr: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => {
      resolve({ status, stderr });
    });
  });
  return {
    lines: parseLines(createInterface({ input: child.stdout })),
    interrupt: () => {
      child.kill("SIGINT");
    },
    kill: () => {
      child.kill("SIGKILL");
    },
    ended,
  };
}

async function* parseLines(texts: AsyncIterable<string>): AsyncGenerator<unknown, void, undefined> {
  for await (const text of texts) yield JSON.parse(text);
}
