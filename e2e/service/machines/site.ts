// Machines apart, without virtual ones: each has a network, process ids, a host name and a root folder of its own, and
// a cable to a switch. What runs on them is real; what they write stays in memory and vanishes with them.
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  makeTemporaryDirectory,
  projectRoot,
  removeDirectory,
} from "../../../electron/support/host-process.ts";

const inside = join(projectRoot, "e2e", "service", "machines", "inside");
const environment = {
  HOME: "/root",
  LANG: "C.UTF-8",
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
};
const namespaces = ["--mount", "--net", "--pid", "--uts", "--ipc"] as const;

export interface Finished {
  readonly status: number | null;
  /** Standard output and standard error, as they came. */
  readonly text: string;
}

export interface Machine {
  readonly name: string;
  /** Runs a script in Bash, which ends at its first error, as root. */
  readonly run: (script: string, input?: string) => Promise<Finished>;
  /** Starts the same in the background. */
  readonly start: (script: string) => ChildProcess;
  /** Cuts the cable: nothing answers any more, and nothing is refused. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** Its root folder, for programs of the site. */
  readonly root: string;
}

export interface Site {
  readonly machines: readonly [Machine, Machine];
  /** Folder that both machines see as `/srv/mrms`, as a path for processes of the site. */
  readonly sharedFolder: string;
  /** Starts a program of this computer on the network of the site, where it has 192.0.2.1 and 192.0.2.3. */
  readonly startProgram: (args: readonly string[]) => ChildProcess;
  readonly stop: () => Promise<void>;
}

/** Empty if machines can be had here, else the reason for the name of a suite. */
export const siteNeeds = findNeeds();

function findNeeds(): string {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return " (needs Linux and root)";
  const { status } = spawnSync("unshare", [
    ...namespaces,
    "--fork",
    "ip",
    "link",
    "add",
    "switch",
    "type",
    "bridge",
  ]);
  return status === 0 ? "" : " (needs namespaces: run as root outside of a container, with iproute2)";
}

/** Starts machines that have this project as version 0.2.0, and the one in the folder `older` as version 0.1.0. */
export async function startSite(names: readonly [string, string], older: string): Promise<Site> {
  const folder = makeTemporaryDirectory("site");
  const switching = await startFirst("unshare", [
    ...["--mount", "--net", "--fork", "--kill-child", "bash", join(inside, "lan.sh"), folder, ...names],
  ]);
  const onSwitch = ["--target", String(switching.pid), "--mount", "--net"];
  const startMachine = async (
    name: string,
    peer: string,
  ): Promise<Machine & { readonly first: ChildProcess }> => {
    const script = [join(inside, "machine.sh"), folder, name, peer, projectRoot, older];
    const first = await startFirst("nsenter", [
      ...onSwitch,
      ...["unshare", ...namespaces, "--fork", "--kill-child", "bash", ...script],
    ]);
    const entering = ["--target", String(first.pid), ...namespaces, "--root", "--wdns=/root"];
    const ip = (...args: readonly string[]): void => {
      execFileSync("nsenter", [...onSwitch, "ip", ...args]);
    };
    ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", String(first.pid));
    ip("link", "set", name, "master", "switch", "up");
    const start = (text: string): ChildProcess =>
      spawn("nsenter", [...entering, "bash", "--norc", "-euo", "pipefail", "-c", text], { env: environment });
    const machine: Machine = {
      name,
      root: join(folder, name, "root"),
      start,
      run: (text, input = "") => finish(start(text), input),
      cut: () => {
        ip("link", "set", name, "nomaster");
      },
      mend: () => {
        ip("link", "set", name, "master", "switch");
      },
    };
    const address = `192.0.2.1${name.slice(-1)}/24`;
    await machine.run(`ip address add ${address} dev eth0 && ip link set eth0 up`);
    return { ...machine, first: first.process };
  };
  const started = [await startMachine(names[0], names[1]), await startMachine(names[1], names[0])] as const;
  return {
    machines: started,
    sharedFolder: `/proc/${switching.pid}/root${folder}/shared`,
    startProgram: (args) =>
      spawn("nsenter", [...onSwitch, process.execPath, ...args], {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      }),
    stop: async () => {
      for (const { first } of [...started, { first: switching.process }]) {
        const ended = once(first, "exit");
        first.stdin!.end();
        await ended;
      }
      removeDirectory(folder);
    },
  };
}

interface First {
  readonly process: ChildProcess;
  /** Process id of the process inside, as this computer counts. */
  readonly pid: number;
}

/** Starts the first process of a set of namespaces. They end with it, and it ends with its input: with this process. */
async function startFirst(program: string, args: readonly string[]): Promise<First> {
  const child = spawn(program, args, { env: environment, stdio: ["pipe", "pipe", "inherit"] });
  const ready = once(createInterface({ input: child.stdout }), "line");
  const ended = once(child, "exit").then(() => {
    throw new Error(`A machine did not start: ${args.join(" ")}`);
  });
  await Promise.race([ready, ended]);
  return { process: child, pid: findChild(child.pid!) };
}

function findChild(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
}

async function finish(child: ChildProcess, input: string): Promise<Finished> {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  // Most scripts end without reading it.
  child.stdin!.on("error", () => undefined);
  child.stdin!.end(input);
  const [status] = (await once(child, "close")) as [number | null];
  return { status, text: Buffer.concat(chunks).toString("utf8") };
}
