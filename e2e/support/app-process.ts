// Echotop as `npm start` runs it, without a window: a child process of the launcher, and the address that it prints,
// which contains the run's token.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../../electron/support/host-process.ts";

export interface RunningApp {
  /** The storm listener's origin. */
  readonly origin: string;
  /** Address to open: the origin with the token in its fragment. */
  readonly address: string;
  readonly token: string;
  /** Returns the standard error so far. */
  readonly stderr: () => string;
  /** Interrupts the app and waits for its end; resolves with the exit status. */
  stop(): Promise<number | null>;
}

/** Starts the app on a free port. An empty directory would get the demonstration. */
export async function startApp(dataDirectory: string): Promise<RunningApp> {
  const launcher = join(projectRoot, "electron", "desktop", "launch", "launch.ts");
  const child = spawn(process.execPath, [launcher, "--no-open", "--data", dataDirectory, "--port", "0"], {
    cwd: projectRoot,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  let stderr = "";
  const told = new Promise<URL>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      const address = /http:\S+#token=[\w-]+(?=\s)/.exec(stderr)?.[0];
      if (address !== undefined) resolve(new URL(address));
    });
  });
  const address = await Promise.race([
    told,
    ended.then((status) => {
      throw new Error(`The app ended with status ${String(status)} before it printed its address: ${stderr}`);
    }),
  ]);
  return {
    origin: address.origin,
    address: address.href,
    token: address.hash.slice("#token=".length),
    stderr: () => stderr,
    stop: () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}
