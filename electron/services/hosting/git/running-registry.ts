// One file on disk for each running Git process group, so that the start after a crash can end the group before it
// removes unfinished files. Written as soon as the process starts, removed when it has ended.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

const runningSchema = z.strictObject({
  /** Value of `ECHOTOP_GIT_RUN` in the group's environment. */
  run: z.string().regex(/^[0-9a-f]{32}$/),
  pid: z.int().positive(),
  /** Process id of the host that started it, and that host's own start time (see `processBirth`). */
  host: z.int().positive(),
  hostBirth: z.string(),
  startedAt: z.iso.datetime(),
});
export type RunningGroup = z.infer<typeof runningSchema>;

export type RunningRegistry = ReturnType<typeof openRunningRegistry>;

/** Creates `directory` if it is missing. */
export function openRunningRegistry(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const hostBirth = processBirth(process.pid) ?? "";
  return {
    /** Synchronous, so that no other code runs between the start of a process and its record. */
    note(run: string, pid: number): void {
      const group: RunningGroup = {
        run,
        pid,
        host: process.pid,
        hostBirth,
        startedAt: new Date().toISOString(),
      };
      writeFileSync(join(directory, `${run}.json`), JSON.stringify(group));
    },
    forget(run: string): void {
      rmSync(join(directory, `${run}.json`), { force: true });
    },
  };
}

/** Returns the recorded groups. Deletes files that the crash left incomplete. */
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
    return undefined; // incomplete: its process had not begun to work
  }
}

/**
 * Returns the start time in field 22 of `/proc/PID/stat`, which no later process of the same id shares. Undefined on
 * other systems, or if the process has ended.
 */
export function processBirth(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
