// Lists the packages that Echotop ships, from the lock file and `node_modules`: everything that `dependencies`
// reaches, and Electron.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  readonly author: string | undefined;
  /** Texts of its license and notice files, sorted by file name; may be empty. */
  readonly texts: readonly string[];
}

const LockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
});

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

const licenseFile = /^(licen[cs]e|copying|notice|copyright)(\.(md|txt))?$/i;

/** Returns packages sorted by name and version. Throws if a package of the lock file is not installed. */
export function loadShippedPackages(root: string): readonly InstalledPackage[] {
  const lock = LockFile.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const folders = Object.entries(lock.packages)
    .filter(([folder, { dev, devOptional, optional }]) => folder !== "" && !dev && !devOptional && !optional)
    .map(([folder]) => folder);
  const packages = new Map<string, InstalledPackage>();
  for (const folder of [...folders, "node_modules/electron"]) {
    const found = loadPackage(join(root, folder));
    packages.set(`${found.name}@${found.version}`, found);
  }
  return [...packages.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

function loadPackage(folder: string): InstalledPackage {
  const { name, version, license, author } = Manifest.parse(
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  const texts = readdirSync(folder)
    .filter((file) => licenseFile.test(file))
    .sort(compare)
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  return { name, version, license, author, texts };
}

/** Compares by code unit, the same in every locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
