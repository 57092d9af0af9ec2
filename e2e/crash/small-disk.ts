// A small disk for one test, easy to fill or to make read-only: a memory file system, where mounting is permitted.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { makeTemporaryDirectory } from "../../electron/support/host-process.ts";

export interface SmallDisk {
  readonly path: string;
  /** Changes mount options such as `size=4m` or `ro`. */
  remount(options: string): void;
  close(): void;
}

/** Mounts a disk; returns undefined if mounting is not permitted or supported. */
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
      // Lazy unmount: files still open disappear with their processes.
      spawnSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Returns true if tests may mount a disk on this machine. */
export function canMount(): boolean {
  const disk = mountSmallDisk("size=1m");
  disk?.close();
  return disk !== undefined;
}

function mount(args: readonly string[]): number | null {
  return spawnSync("mount", args).status;
}
