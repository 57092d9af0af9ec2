// Runs the application in Electron as a child: its first line goes on to our standard output, and so does its status.
import { spawn } from "node:child_process";

export interface ElectronRun {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Called with each piece that the application writes to standard output. */
  readonly onOutput: (chunk: Buffer) => void;
}

/** `never-started`: it ended before it said where it listens, for instance because a library is missing. */
export type ElectronEnd =
  | { readonly kind: "ended"; readonly status: number }
  | { readonly kind: "never-started"; readonly reason: string };

/** How long an interrupted application may take before it is ended; longer than it gives its own host. */
const endLimitMs = 8_000;

export async function runElectron({
  executablePath,
  args,
  signal,
  onOutput,
}: ElectronRun): Promise<ElectronEnd> {
  // With this variable Electron would be a plain Node and open no window.
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
