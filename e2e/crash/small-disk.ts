// A disk of a test's own, small enough to fill and to make read-only: a memory file system, where mounting one is allowed.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { makeTemporaryDirectory } from "../../electron/support/host-process.ts";

export interface SmallDisk {
  readonly path: string;
  /** `size=4m`, `ro` */
  remount(options: string): void;
  close(): void;
}

/** Undefined where mounting is not allowed, or not known. */
export function mountSmallDisk(options: string): SmallDisk | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const path = makeTemporaryDirectory("disk");
  mkdirSync(path, { recursive: true });
  if (mount(["-t", "tmpfs", "-o", options, "tmpfs", path]) !== 0) {
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    remount(changed) {
      if (mount(["-o", `remount,${changed}`, path]) !== 0) throw new Error(`remount,${changed} failed`);
    },
    close() {
      // Whatever is still open in it goes with its processes.
      spawnSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Whether this machine lets its tests mount a disk. */
export function canMount(): boolean {
  const disk = mountSmallDisk("size=1m");
  disk?.close();
  return disk !== undefined;
}

function mount(args: readonly string[]): number | null {
  return spawnSync("mount", args).status;
}
