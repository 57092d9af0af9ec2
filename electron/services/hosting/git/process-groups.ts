// Signals to whole process groups, and what is still alive of groups that an earlier host left behind. A process number
// that something else uses by now must never be hit.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { runVariable } from "./git-environment.ts";
import type { RunningGroup } from "./running-registry.ts";

/** A group that is gone already is as good as ended. */
export function killGroup(pid: number, signal: "SIGTERM" | "SIGKILL", platform: NodeJS.Platform): void {
  if (platform === "win32") {
    execFile("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true }, () => undefined);
    return;
  }
  kill(-pid, signal);
}

/** @throws what the system says, but for "no such process" */
function kill(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM is macOS's word for a group of which only zombies are left.
    if (code === "ESRCH" || code === "EPERM") return false;
    throw error;
  }
}

/** Process numbers that certainly belong to the group. */
export async function membersOf(group: RunningGroup, platform: NodeJS.Platform): Promise<readonly number[]> {
  if (platform === "linux") return membersByEnvironment(group);
  if (platform === "win32") return membersByImage(group);
  return membersByGroup(group);
}

/** Ends one process at once; used only for numbers of `membersOf`. */
export function endMember(pid: number): void {
  kill(pid, "SIGKILL");
}

/** On Linux each process shows the environment it was started with, and ours carries the run's random mark. */
async function membersByEnvironment({ run }: RunningGroup): Promise<readonly number[]> {
  const mark = `${runVariable}=${run}`;
  const members: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, "latin1").catch(() => ""); // gone, or not ours to read
    if (environment.split("\0").includes(mark)) members.push(Number(name));
  }
  return members;
}

/**
 * Elsewhere on POSIX the group's number decides, which the system gives to nobody else while a member lives. A leader that
 * began at another time than was noted is a stranger in a group of its own.
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

/** `ps` gives whole seconds. */
const leaderToleranceMs = 3000;

/** Windows ends pipes with the host, so Git ends by itself; what is still there must at least be a Git. */
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
