// Builds the parts that are older than their sources: `npm run build`, npm's `prepare`, and `ensureBuilt`.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../../shared/app-error.ts";
import { projectRoot } from "../platform/project-root.ts";
import { withLock } from "./build-lock.ts";
import { buildPart } from "./build-part.ts";
import { hashSources, checkFreshness, rememberBuild } from "./build-stamp.ts";
import { getPart, type PartName, partNames } from "./parts.ts";

const lockLimitMs = 120_000;

/** Builds in this process, under the lock. Skips fresh parts unless `isForced`. */
async function buildParts(parts: readonly PartName[], isForced: boolean): Promise<void> {
  process.env.NODE_ENV = "production";
  const say = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  const onWait = (): void => {
    say("Another process is building Echotop; waiting for it.");
  };
  await withLock(join(projectRoot, ".vite", "build.lock"), { limitMs: lockLimitMs, onWait }, async () => {
    const work = parts.map(getPart).filter((part) => isForced || !checkFreshness(projectRoot, part));
    if (work.length === 0) return;
    const startedMs = performance.now();
    await Promise.all(
      work.map(async (part) => {
        const startedAt = new Date();
        const sourceHash = hashSources(projectRoot, part.sources);
        await buildPart(projectRoot, part);
        rememberBuild(projectRoot, part, { sourceHash, startedAt });
      }),
    );
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    say(`Built ${work.map(({ name }) => name).join(", ")} in ${seconds} s.`);
  });
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { force: { type: "boolean" } },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !isPartName(name));
  if (unknown !== undefined) {
    process.stderr.write(`"${unknown}" is not a part of Echotop; the parts are ${partNames.join(", ")}.\n`);
    return 2;
  }
  const parts = positionals.filter(isPartName);
  try {
    await buildParts(parts.length === 0 ? partNames : parts, values.force ?? false);
    return 0;
  } catch (error) {
    process.stderr.write(`The build failed: ${messageOf(error)}\n`);
    return 1;
  }
}

function isPartName(name: string): name is PartName {
  return partNames.some((known) => known === name);
}

if (import.meta.main) process.exitCode = await main();
