// Signals whole process groups, and finds the living members of groups that an earlier host left. A process id that
// another program uses by now must never be signaled.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { runVariable } from "./git-environment.ts";
import type { RunningGroup } from "./running-registry.ts";

/** Does nothing if the group has already ended. */
export function killGroup(pid: number, signal: "SIGTERM" | "SIGKILL", platform: NodeJS.Platform): void {
  if (platform === "win32") {
    execFile("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true }, () => undefined);
    return;
  }
  kill(-pid, signal);
}

/** Returns false if the process does not exist. */
function kill(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // macOS reports EPERM for a group that contains only zombies.
    if (code === "ESRCH" || code === "EPERM") return false;
    throw error;
  }
}

/** Returns process ids that certainly belong to the group. */
export async function membersOf(group: RunningGroup, platform: NodeJS.Platform): Promise<readonly number[]> {
  if (platform === "linux") return membersByEnvironment(group);
  if (platform === "win32") return membersByImage(group);
  return membersByGroup(group);
}

/** Kills one process; only for ids from `membersOf`. */
export function endMember(pid: number): void {
  kill(pid, "SIGKILL");
}

/** Linux shows the environment of each process; that of our Git contains the run's random mark. */
async function membersByEnvironment({ run }: RunningGroup): Promise<readonly number[]> {
  const mark = `${runVariable}=${run}`;
  const members: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => ""); // ended, or not readable for us
    if (environment.split("\0").includes(mark)) members.push(Number(name));
  }
  return members;
}

/**
 * Uses the group id on other POSIX systems, which is not reused while a member lives. A leader with another start time
 * than the recorded one belongs to another program.
 */
async function membersByGroup({ pid, startedAt }: RunningGroup): Promise<readonly number[]> {
  const lines = await listing("/bin/ps", ["-A", "-o", "pid=,pgid=,lstart="]);
  const rows = lines.flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.+?)\s*$/.exec(line);
    return match === null ? [] : [{ pid: Number(match[1]), group: Number(match[2]), began: match[3]! }];
  });
  const leader = rows.find((row) => row.pid === pid);
  const began = leader === undefined ? undefined : Date.parse(leader.began);
  if (began !== undefined && !(Math.abs(began - Date.parse(startedAt)) <= leaderToleranceMs)) return [];
  return rows.filter((row) => row.group === pid).map((row) => row.pid);
}

/** `ps` reports whole seconds. */
const leaderToleranceMs = 3000;

/** Windows closes pipes with the host, so Git usually ends on its own. A remaining process must at least be Git. */
async function membersByImage({ pid }: RunningGroup): Promise<readonly number[]> {
  const lines = await listing("tasklist", ["/fi", `PID eq ${pid}`, "/fo", "csv", "/nh"]);
  return lines.some((line) => line.toLowerCase().startsWith('"git.exe"')) ? [pid] : [];
}

function listing(program: string, args: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: "C" };
    execFile(program, args, { maxBuffer: 16 * 1024 * 1024, windowsHide: true, env }, (error, out) => {
      if (error === null) resolve(out.split(/\r?\n/));
      else reject(new Error("Running processes cannot be listed.", { cause: error }));
    });
  });
}
