// nginx with one process, as the peer of benchmarks and as a proxy in front of the service: serves a folder with
// sendfile, or follows another server block. Absent if nginx is not installed.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "./free-port.ts";

export interface RunningNginx {
  readonly port: number;
  stop(): Promise<void>;
}

export const hasNginx = spawnSync("nginx", ["-v"], { stdio: "ignore" }).error === undefined;

const startTimeoutMs = 5_000;

/**
 * Starts nginx; returns undefined if it is not installed. `directory` receives its configuration and scratch folders.
 */
export function startNginx(root: string, directory: string): Promise<RunningNginx | undefined> {
  return startNginxWith(`root ${root};`, directory);
}

/**
 * Starts nginx with a server block: `block` is its content besides the port, `beside` the configuration next to it.
 * `env` extends this process's environment.
 */
export async function startNginxWith(
  block: string,
  directory: string,
  beside = "",
  env: Readonly<Record<string, string>> = {},
): Promise<RunningNginx | undefined> {
  if (!hasNginx) return undefined;
  mkdirSync(directory, { recursive: true });
  const port = await findFreePort();
  const file = join(directory, "nginx.conf");
  writeFileSync(file, configure({ block, beside, directory, port, env }));
  const child = spawn("nginx", ["-p", directory, "-c", file, "-e", join(directory, "error.log")], {
    stdio: "ignore",
    env: { ...process.env, ...env },
  });
  await untilAnswering("nginx", child, port);
  return {
    port,
    async stop() {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

interface Configured {
  readonly block: string;
  readonly beside: string;
  readonly directory: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

function configure({ block, beside, directory, port, env }: Configured): string {
  const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(directory, name)};`)
    .join("\n  ");
  // nginx forgets every variable of its environment that it is not told to keep.
  const kept = Object.keys(env).map((name) => `env ${name};`);
  return `daemon off;
master_process off;
${kept.join("\n")}
pid ${join(directory, "nginx.pid")};
error_log ${join(directory, "error.log")};
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 10000000;
  ${scratch}
  types { image/png png; text/html html; }
  ${beside}
  server { listen 127.0.0.1:${port}; ${block} }
}
`;
}

/** Waits until the process accepts a connection; terminates it and throws after five seconds. */
export async function untilAnswering(name: string, child: ChildProcess, port: number): Promise<void> {
  const deadlineMs = performance.now() + startTimeoutMs;
  while (child.exitCode === null && performance.now() < deadlineMs) {
    if (await canConnect(port)) return;
    await delay(20);
  }
  child.kill("SIGKILL");
  throw new Error(`${name} did not respond on port ${port}.`);
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => {
      resolve(false);
    });
  });
}
