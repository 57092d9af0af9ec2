// Finds PostgreSQL's programs, and runs them as a user whom they accept: they refuse to run as root.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chown } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

const oldestVersion = 15;
const newestVersion = 19;

const folder = Array.from({ length: newestVersion - oldestVersion + 1 }, (_, at) => newestVersion - at)
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((candidate) => existsSync(join(candidate, "postgres")));

/** True if a real server can be started here. */
export const hasPostgres = folder !== undefined;

/** Follows the name of a suite, so that a skipped one says what it needs. */
export const postgresNeeds = hasPostgres ? "" : " (needs PostgreSQL: apt-get install postgresql)";

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

const owner = findOwner();

/** Returns Debian's user for PostgreSQL, or nobody, if this process is root. */
function findOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  const line = ["postgres", "nobody"].flatMap(
    (name) => users.find((user) => user.startsWith(`${name}:`)) ?? [],
  );
  const [, , uid, gid] = line[0]!.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

const environment = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };

/**
 * Starts a program of PostgreSQL in the background; its standard error is a pipe. The kernel ends it with this process.
 */
export function spawnProgram(name: string, options: readonly string[]): ChildProcess {
  return spawn("setpriv", ["--pdeathsig", "QUIT", join(folder!, name), ...options], {
    ...owner,
    cwd: "/",
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Runs a program of PostgreSQL to its end. */
export async function runProgram(
  name: string,
  options: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(join(folder!, name), options, {
    ...owner,
    cwd: "/",
    env: { ...environment, ...variables },
  });
  return stdout;
}

/** Makes PostgreSQL's user the owner of a file or folder. */
export async function handOver(path: string): Promise<void> {
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(path, owner.uid, owner.gid);
}

export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
