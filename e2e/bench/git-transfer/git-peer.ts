// The peer of the Git rows: the same Git behind nginx and `git http-backend`, or `git daemon` if one of the programs is
// missing. It serves without authentication and uses the same Git options as hosting.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gitEnvironment, gitOk } from "../../hosting/git.ts";
import { findFreePort } from "../../support/free-port.ts";
import { startNginxWith, untilAnswering } from "../../support/nginx.ts";
import { removeDirectory } from "../../../electron/support/host-process.ts";
import type { GitServer } from "./git-server.ts";

/** Hosting's Git options that affect speed: checks on receipt, packs stored as received, syncs, threads. */
const repositoryConfig: Readonly<Record<string, string>> = {
  "http.receivepack": "true",
  "core.fsync": "committed",
  "core.logAllRefUpdates": "false",
  "gc.auto": "0",
  "receive.autogc": "false",
  "transfer.fsckObjects": "true",
  "receive.fsckObjects": "true",
  "receive.unpackLimit": "1",
  "core.bigFileThreshold": "32m",
  "pack.threads": "1",
  "pack.windowMemory": "64m",
  "pack.deltaCacheSize": "32m",
};

const startTimeoutMs = 5_000;

/** Starts the peer; `directory` receives the repositories and the programs' files. */
export async function startGitPeer(directory: string): Promise<GitServer> {
  const root = join(directory, "repositories");
  mkdirSync(root, { recursive: true });
  const backend = join(await gitOk(["--exec-path"]), "git-http-backend");
  const hasPrograms = ["nginx", "fcgiwrap"].every(
    (program) => spawnSync(program, ["-h"], { stdio: "ignore" }).error === undefined,
  );
  const listener =
    hasPrograms && existsSync(backend)
      ? await startHttpBackend({ root, directory, backend })
      : await startDaemon(root);
  return {
    name: listener.name,
    async create(name) {
      const repository = join(root, `${name}.git`);
      await gitOk(["init", "--quiet", "--bare", "--initial-branch=main", repository]);
      for (const [key, value] of Object.entries(repositoryConfig)) {
        await gitOk(["config", key, value], { cwd: repository });
      }
      return { remote: `${listener.origin}/${name}.git` };
    },
    delete(name) {
      removeDirectory(join(root, `${name}.git`));
      return Promise.resolve();
    },
    stop: () => listener.stop(),
  };
}

interface Listener {
  readonly name: string;
  readonly origin: string;
  stop(): Promise<void>;
}

interface BackendPlaces {
  readonly root: string;
  readonly directory: string;
  /** Path of `git-http-backend`. */
  readonly backend: string;
}

async function startHttpBackend({ root, directory, backend }: BackendPlaces): Promise<Listener> {
  const socket = join(directory, "fcgi.sock");
  // Two workers: one per processor of a two-core machine.
  const wrapper = start("fcgiwrap", ["-c", "2", "-s", `unix:${socket}`]);
  const deadlineMs = performance.now() + startTimeoutMs;
  while (!existsSync(socket) && performance.now() < deadlineMs) await delay(20);
  const nginx = await startNginxWith(toServerBlock(socket, backend, root), join(directory, "nginx"));
  return {
    name: "nginx, git http-backend",
    origin: `http://127.0.0.1:${nginx!.port}`,
    async stop() {
      await nginx!.stop();
      await endGroup(wrapper);
    },
  };
}

/** Returns the server block: no buffering on disk in either direction, and no limit on the body. */
function toServerBlock(socket: string, backend: string, root: string): string {
  const parameters = {
    SCRIPT_FILENAME: backend,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    GIT_PROTOCOL: "$http_git_protocol",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    PATH_INFO: "$uri",
    QUERY_STRING: "$query_string",
    REQUEST_METHOD: "$request_method",
    CONTENT_TYPE: "$content_type",
    CONTENT_LENGTH: "$content_length",
    REMOTE_ADDR: "$remote_addr",
  };
  return `
    client_max_body_size 0;
    location / {
      fastcgi_request_buffering off;
      fastcgi_buffering off;
      fastcgi_read_timeout 600s;
      ${Object.entries(parameters)
        .map(([name, value]) => `fastcgi_param ${name} ${value};`)
        .join("\n      ")}
      fastcgi_pass unix:${socket};
    }
  `;
}

async function startDaemon(root: string): Promise<Listener> {
  const port = await findFreePort();
  const daemon = start("git", [
    ...["daemon", "--listen=127.0.0.1", `--port=${port}`, `--base-path=${root}`],
    ...["--export-all", "--enable=receive-pack", "--reuseaddr"],
  ]);
  await untilAnswering("git daemon", daemon, port);
  return { name: "git daemon", origin: `git://127.0.0.1:${port}`, stop: () => endGroup(daemon) };
}

/** Starts a process as a group leader, since both programs have children. */
function start(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, { detached: true, stdio: "ignore", env: gitEnvironment() });
}

async function endGroup(leader: ChildProcess): Promise<void> {
  if (leader.exitCode !== null || leader.pid === undefined) return;
  const ended = once(leader, "close");
  process.kill(-leader.pid, "SIGTERM");
  await ended;
}
