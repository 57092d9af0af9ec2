// Builds one part with Vite into a folder of its own, and puts the result in place when it is complete: a host that
// serves the old files meanwhile never sees half of the new ones.
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Part } from "./parts.ts";

export async function bundle(root: string, part: Part): Promise<void> {
  const { build, createLogger } = await import("vite");
  const staging = join(root, ".vite", "staging", `${part.name}-${process.pid}`);
  rmSync(staging, { recursive: true, force: true });
  const made = join(staging, "new");
  try {
    await build({
      configFile: join(root, part.config),
      configLoader: "native",
      logLevel: "warn",
      customLogger: toStandardError(createLogger("warn")),
      build: { outDir: made, emptyOutDir: true },
    });
    const target = join(root, part.into.folder);
    if (part.into.isShared) moveInto(made, target);
    else replaceFolder(made, target, join(staging, "old"));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Standard output belongs to programs; what Vite has to say is for people. */
function toStandardError<Logger extends { info: unknown; warn: unknown; warnOnce: unknown; error: unknown }>(
  logger: Logger,
): Logger {
  const write = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  return { ...logger, info: () => undefined, warn: write, warnOnce: write, error: write };
}

function moveInto(made: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(made)) {
    rmSync(join(target, name), { recursive: true, force: true });
    renameSync(join(made, name), join(target, name));
  }
}

function replaceFolder(made: string, target: string, old: string): void {
  mkdirSync(dirname(target), { recursive: true });
  try {
    renameSync(target, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  renameSync(made, target);
}
