// Makes one part in a folder of its own, and puts the result in place when it is complete: a host that serves the old
// files meanwhile never sees half of the new ones.
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Part } from "./parts.ts";

export async function make(root: string, part: Part): Promise<void> {
  const staging = join(root, ".vite", "staging", `${part.name}-${process.pid}`);
  rmSync(staging, { recursive: true, force: true });
  const made = join(staging, "new");
  try {
    if ("writer" in part.maker) await writers[part.maker.writer](made);
    else await bundle(join(root, part.maker.viteConfig), made);
    const target = join(root, part.into.folder);
    if (part.into.isShared) moveInto(made, target);
    else replaceFolder(made, target, join(staging, "old"));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

const writers = {
  places: async (folder: string): Promise<void> => {
    const { writeGazetteer } = await import("../services/storm/places/build-gazetteer.ts");
    await writeGazetteer(join(folder, "places.json"));
  },
  "briefing-map": async (folder: string): Promise<void> => {
    const { writeBriefingMap } = await import("./briefing-map/write-map.ts");
    await writeBriefingMap(join(folder, "briefing-map.json"));
  },
} as const;

async function bundle(configFile: string, outDir: string): Promise<void> {
  const { build, createLogger } = await import("vite");
  await build({
    configFile,
    configLoader: "native",
    logLevel: "warn",
    customLogger: toStandardError(createLogger("warn")),
    build: { outDir, emptyOutDir: true },
  });
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
