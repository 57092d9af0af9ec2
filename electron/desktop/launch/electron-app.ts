// Runs the application in Electron as a child process and returns how it ended.
import { spawn } from "node:child_process";

export interface ElectronRun {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Called with each chunk of the application's standard output. */
  readonly onOutput: (chunk: Buffer) => void;
}

/** `never-started`: it ended before it wrote its addresses, for example because a library is missing. */
export type ElectronEnd =
  | { readonly kind: "ended"; readonly status: number }
  | { readonly kind: "never-started"; readonly reason: string };

/** Longest wait for an interrupted application; longer than its own wait for the host. */
const endLimitMs = 8_000;

export async function runElectron({
  executablePath,
  args,
  signal,
  onOutput,
}: ElectronRun): Promise<ElectronEnd> {
  // With this variable Electron would run as Node, without a window.
  const env = { ...process.env };
  delete env.ELECTRON_RUN_AS_NODE;
  const child = spawn(executablePath, args, { stdio: ["inherit", "pipe", "inherit"], env });
  let hasSpoken = false;
  child.stdout.on("data", (chunk: Buffer) => {
    hasSpoken = true;
    onOutput(chunk);
  });
  const interrupt = (): void => {
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), endLimitMs).unref();
  };
  signal.addEventListener("abort", interrupt, { once: true });
  const { promise, resolve } = Promise.withResolvers<ElectronEnd>();
  child.on("error", (error) => {
    resolve({ kind: "never-started", reason: error.message });
  });
  child.on("close", (status, killedBy) => {
    if (hasSpoken || signal.aborted) resolve({ kind: "ended", status: status ?? (signal.aborted ? 0 : 1) });
    else
      resolve({
        kind: "never-started",
        reason: `it ended with ${killedBy ?? `status ${status ?? "unknown"}`}`,
      });
  });
  const end = await promise;
  signal.removeEventListener("abort", interrupt);
  return end;
}
