// Processes of an engine that a test starts: launched in the foreground, killed by their own id, and ended with the
// test even if that is killed.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  closeSync,
  rmSync,
} from "node:fs";
import { createServer, connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface EngineParts {
  /** Temporary folder of the engine, with a folder `log`. */
  readonly folder: string;
  /** Starts a program as a part of the engine. Its output goes to `log/<name>.out`. */
  readonly launch: (name: string, program: string, args: readonly string[]) => void;
  /** Runs a program to its end. Throws an error with its output if it fails or takes longer than a minute. */
  readonly run: (name: string, program: string, args: readonly string[]) => Promise<void>;
  /** Waits until a part accepts connections. Throws if the part ends or a minute passes. */
  readonly waitForPort: (name: string, port: number) => Promise<void>;
  readonly kill: (name: string) => Promise<void>;
  /** Kills all parts and removes the folder. */
  readonly stop: () => Promise<void>;
}

const patienceMs = 60_000;

export function createEngineParts(engine: string): EngineParts {
  const folder = mkdtempSync(join(tmpdir(), `echotop-${engine}-`));
  mkdirSync(join(folder, "log"));
  const running = new Map<string, ChildProcess>();

  const outputOf = (name: string): string => join(folder, "log", `${name}.out`);
  const start = (name: string, program: string, args: readonly string[]): ChildProcess => {
    const output = openSync(outputOf(name), "a");
    // The kernel ends the part when this process ends.
    const child = spawn("setpriv", ["--pdeathsig", "KILL", program, ...args], {
      cwd: folder,
      stdio: ["ignore", output, output],
    });
    closeSync(output);
    return child;
  };
  const explain = (name: string, problem: string): Error =>
    new Error(`${engine}: ${name} ${problem}:\n${readFileSync(outputOf(name), "utf8").slice(-2000)}`);
  const kill = async (name: string): Promise<void> => {
    const child = running.get(name);
    running.delete(name);
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };

  return {
    folder,
    launch: (name, program, args) => void running.set(name, start(name, program, args)),
    async run(name, program, args) {
      const child = start(name, program, args);
      const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
      const [status] = (await once(child, "exit")) as [number | null];
      clearTimeout(timer);
      if (status !== 0) throw explain(name, `ended with status ${String(status)}`);
    },
    async waitForPort(name, port) {
      const deadline = Date.now() + patienceMs;
      while (!(await isListening(port))) {
        if (running.get(name)?.exitCode !== null) throw explain(name, "ended");
        if (Date.now() > deadline) throw explain(name, "does not answer");
        await delay(20);
      }
    },
    kill,
    async stop() {
      await Promise.all([...running.keys()].map(kill));
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Returns true if all programs are on the search path. */
export function areInstalled(programs: readonly string[]): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return programs.every((program) => folders.some((folder) => isExecutable(join(folder, program))));
}

/** Returns ports of the loopback address that are free now. */
export async function findFreePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(probes.map((probe) => once(probe, "listening")));
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => once(probe.close(), "close")));
  return ports;
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
