// Builds one part in a staging folder and moves the result into place when it is complete, so that a running host never
// serves half of it.
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Part } from "./parts.ts";

export async function buildPart(root: string, { name, maker, output, ownsFolder }: Part): Promise<void> {
  const staging = join(root, ".vite", "staging", `${name}-${process.pid}`);
  rmSync(staging, { recursive: true, force: true });
  const built = join(staging, "new");
  try {
    if ("writer" in maker) await writers[maker.writer](built);
    else await bundle(join(root, maker.viteConfig), built);
    const target = join(root, dirname(output));
    if (ownsFolder) replaceFolder(built, target, join(staging, "old"));
    else moveInto(built, target);
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
    const { writeBriefingMap } = await import("./briefing-map/write-briefing-map.ts");
    await writeBriefingMap(join(folder, "briefing-map.json"));
  },
} as const;

async function bundle(configFile: string, outDir: string): Promise<void> {
  const { build, createLogger } = await import("vite");
  const logger = createLogger("warn");
  // Standard output belongs to programs.
  const write = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  await build({
    configFile,
    configLoader: "native",
    logLevel: "warn",
    customLogger: { ...logger, info: () => undefined, warn: write, warnOnce: write, error: write },
    build: { outDir, emptyOutDir: true },
  });
}

function moveInto(built: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(built)) {
    rmSync(join(target, name), { recursive: true, force: true });
    renameSync(join(built, name), join(target, name));
  }
}

function replaceFolder(built: string, target: string, old: string): void {
  mkdirSync(dirname(target), { recursive: true });
  try {
    renameSync(target, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  renameSync(built, target);
}
