// One file on disk for each Git process group that runs, so that a start after a crash can end what still runs before it
// clears away what was half written. Written before anything else can happen to the process, removed when it is gone.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

const runningSchema = z.strictObject({
  /** Value of `ECHOTOP_GIT_RUN` in the group's environment. */
  run: z.string().regex(/^[0-9a-f]{32}$/),
  pid: z.int().positive(),
  /** The host that started it, and when that host itself had begun (see `processBirth`). */
  host: z.int().positive(),
  hostBirth: z.string(),
  startedAt: z.iso.datetime(),
});
export type RunningGroup = z.infer<typeof runningSchema>;

export interface RunningRegistry {
  /** Synchronous: between the start of a process and its note no other code of ours runs. */
  note(run: string, pid: number): void;
  forget(run: string): void;
}

/** `directory` is made when it is not there. */
export function openRunningRegistry(directory: string): RunningRegistry {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const hostBirth = processBirth(process.pid) ?? "";
  return {
    note(run, pid) {
      const group: RunningGroup = {
        run,
        pid,
        host: process.pid,
        hostBirth,
        startedAt: new Date().toISOString(),
      };
      writeFileSync(join(directory, `${run}.json`), JSON.stringify(group));
    },
    forget(run) {
      rmSync(join(directory, `${run}.json`), { force: true });
    },
  };
}

/** What was noted and not forgotten. A file cut short by the crash tells nothing and goes. */
export async function listRunning(directory: string): Promise<readonly RunningGroup[]> {
  const groups: RunningGroup[] = [];
  for (const name of await readdir(directory)) {
    if (!name.endsWith(".json")) continue;
    const parsed = parseGroup(await readFile(join(directory, name), "utf8"));
    if (parsed === undefined) await rm(join(directory, name), { force: true });
    else groups.push(parsed);
  }
  return groups;
}

function parseGroup(text: string): RunningGroup | undefined {
  try {
    return runningSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // cut short: the process it speaks of had not begun its work
  }
}

/** Field 22 of `/proc/PID/stat`, which no later process of the same number shares; undefined elsewhere or when it is gone. */
export function processBirth(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
