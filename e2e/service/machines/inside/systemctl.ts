// In place of systemd, which does not run in a namespace: starts, supervises and ends the processes of units as these
// say (ExecStart, User, WorkingDirectory, EnvironmentFile, StateDirectory, Restart, KillSignal, TimeoutStopSec). It
// leaves out the sandbox of a unit and its limits.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { readUnit, toCommand, type Unit } from "./unit-file.ts";

const [verb = "", ...words] = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("-"));

switch (verb) {
  case "daemon-reload":
    break;
  case "enable":
    if (words.includes("--now")) for (const name of names) start(readUnit(name));
    break;
  case "start":
    for (const name of names) start(readUnit(name));
    break;
  case "stop":
    for (const name of names) await stop(readUnit(name));
    break;
  case "restart":
    for (const name of names) {
      await stop(readUnit(name));
      start(readUnit(name));
    }
    break;
  case "reload":
    for (const name of names) reload(readUnit(name));
    break;
  case "supervise":
    await supervise(readUnit(names[0]!));
    break;
  default:
    throw new Error(`systemctl ${verb} has no stand-in.`);
}

function isForking(unit: Unit): boolean {
  return unit.last("Type") === "forking";
}

function run(unit: Unit, key: string, variables: Readonly<Record<string, string>> = {}): void {
  for (const line of unit.all(key)) {
    const [program, ...args] = toCommand(line, { ...unit.environment, ...variables });
    try {
      execFileSync(program!, args, { stdio: "inherit" });
    } catch (error) {
      if (!line.startsWith("-")) throw error;
    }
  }
}

function start(unit: Unit): void {
  if (isForking(unit)) {
    run(unit, "ExecStart");
    return;
  }
  if (findSupervisor(unit) !== undefined) return;
  const log = openSync(`/var/log/${unit.name}.log`, "a");
  const child = spawn(process.execPath, [import.meta.filename, "supervise", unit.name], {
    detached: true,
    stdio: ["ignore", log, log],
  });
  writeFileSync(supervisorFile(unit), String(child.pid));
  child.unref();
}

async function stop(unit: Unit): Promise<void> {
  if (isForking(unit)) {
    if (isAlive(unit.last("PIDFile")!)) run(unit, "ExecStop");
    return;
  }
  const pid = findSupervisor(unit);
  if (pid === undefined) return;
  process.kill(pid, "SIGTERM");
  while (findSupervisor(unit) !== undefined) await delay(20);
}

function isAlive(pidFile: string): boolean {
  return existsSync(pidFile) && existsSync(`/proc/${readFileSync(pidFile, "utf8").trim()}`);
}

function reload(unit: Unit): void {
  const pid = isForking(unit) ? "" : readFileSync(mainFile(unit), "utf8");
  run(unit, "ExecReload", { MAINPID: pid });
}

/** Runs the unit's process until the supervisor is told to end; starts it again if it ends by itself. */
async function supervise(unit: Unit): Promise<void> {
  const { uid, gid } = findOwner(unit);
  const state = unit.last("StateDirectory");
  if (state !== undefined) {
    mkdirSync(`/var/lib/${state}`, { recursive: true });
    if (uid !== undefined) execFileSync("chown", [`${uid}:${gid}`, `/var/lib/${state}`]);
  }
  const ending = new AbortController();
  process.once("SIGTERM", () => {
    ending.abort();
  });
  while (!ending.signal.aborted) {
    const [program, ...args] = toCommand(unit.last("ExecStart")!, unit.environment);
    const child = spawn(program!, args, {
      cwd: unit.last("WorkingDirectory") ?? "/",
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", ...unit.environment },
      stdio: ["ignore", "inherit", "inherit"],
      ...(uid !== undefined && { uid, gid }),
    });
    const end = (): void => {
      child.kill((unit.last("KillSignal") as NodeJS.Signals | undefined) ?? "SIGTERM");
      const seconds = Number.parseInt(unit.last("TimeoutStopSec") ?? "90", 10);
      setTimeout(() => child.kill("SIGKILL"), seconds * 1_000).unref();
    };
    ending.signal.addEventListener("abort", end);
    writeFileSync(mainFile(unit), String(child.pid));
    await once(child, "exit");
    ending.signal.removeEventListener("abort", end);
    if (unit.last("Restart") !== "always") break;
    const pauseMs = Number(unit.last("RestartSec") ?? 0.1) * 1_000;
    await delay(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined);
  }
  rmSync(supervisorFile(unit));
}

function findOwner(unit: Unit): { readonly uid?: number; readonly gid?: number } {
  const user = unit.last("User");
  if (user === undefined) return {};
  const id = (option: string): number => Number(execFileSync("id", [option, user], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function supervisorFile({ name }: Unit): string {
  return `/run/${name}.supervisor`;
}

function mainFile({ name }: Unit): string {
  return `/run/${name}.main`;
}

function findSupervisor(unit: Unit): number | undefined {
  const file = supervisorFile(unit);
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined;
}
