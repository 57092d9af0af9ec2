// Runs a program of the system to its end and returns its output as bytes.
import { execFile } from "node:child_process";

export interface Finished {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

/** Resolves with any exit status; rejects if the program cannot start. */
export function runProgram(
  program: string,
  args: readonly string[],
  { input, ...options }: RunOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      {
        ...options,
        encoding: "buffer",
        maxBuffer: 512 * 1024 * 1024,
        timeout: 120_000,
        killSignal: "SIGKILL",
      },
      (error, stdout, stderr) => {
        if (error && typeof error.code === "string")
          reject(new Error(`${program} cannot be run: ${error.message}`));
        else resolve({ status: child.exitCode, stdout, stderr: stderr.toString("utf8") });
      },
    );
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(input);
  });
}
