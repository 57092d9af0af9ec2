// Builds what is stale: the first step of every program that needs bundles.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { AppError } from "../../shared/app-error.ts";
import { projectRoot } from "../platform/project-root.ts";
import { checkFreshness } from "./build-stamp.ts";
import { getPart, type PartName, partNames } from "./parts.ts";

/**
 * Builds stale parts in a child process, because bundling changes `NODE_ENV`. Does little if all parts are fresh.
 * @returns the parts that were stale
 * @throws AppError `storage-failed` if the build fails; Vite's messages are on standard error
 */
export async function ensureBuilt(parts: readonly PartName[] = partNames): Promise<readonly PartName[]> {
  const stale = parts.filter((name) => !checkFreshness(projectRoot, getPart(name)));
  if (stale.length === 0) return [];
  const child = spawn(process.execPath, [join(projectRoot, "electron", "build", "build.ts"), ...stale], {
    cwd: projectRoot,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("error", reject);
  child.on("exit", resolve);
  const status = await promise;
  if (status !== 0) throw new AppError("storage-failed", `Echotop could not be built: ${stale.join(", ")}.`);
  return stale;
}
