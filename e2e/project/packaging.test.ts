// Tests of the package: fuses, files, and an archive that runs without the checkout.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { Worker } from "node:worker_threads";
import { createPackageWithOptions, extractFile, listPackage } from "@electron/asar";
import { FuseV1Options, FuseVersion } from "@electron/fuses";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import forgeConfig from "../../forge.config.ts";
import { demonstrationSteps } from "../../electron/pipeline/demo/demonstration.ts";
import { ensureBuilt } from "../../electron/build/ensure-built.ts";
import { findElectron } from "../../electron/desktop/launch/electron-runtime.ts";
import {
  isPackaged,
  nativePackages,
  resourceFiles,
  unpackedFiles,
} from "../../electron/build/packaged-files.ts";
import { toWebPreferences } from "../../electron/desktop/shell/web-preferences.ts";
import { projectRoot } from "../run/steps.ts";
import { copyPackagedFiles } from "../support/bundled-main.ts";

const packageJson = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  readonly productName: string;
  readonly main: string;
};
const { packagerConfig, plugins } = forgeConfig;
const runtime = findElectron({ projectRoot, platform: process.platform, env: process.env });

function pluginNamed(name: string): { readonly config: object } {
  const plugin = plugins.find((one) => one.name === name);
  if (plugin === undefined) throw new Error(`Forge has no plugin ${name}.`);
  return plugin;
}

describe("the fuses", () => {
  const fuses = pluginNamed("fuses").config as Record<string, unknown>;

  test.each<[keyof typeof FuseV1Options, boolean]>([
    ["RunAsNode", false],
    ["EnableCookieEncryption", true],
    ["EnableNodeOptionsEnvironmentVariable", false],
    ["EnableNodeCliInspectArguments", false],
    ["EnableEmbeddedAsarIntegrityValidation", true],
    ["OnlyLoadAppFromAsar", true],
    ["LoadBrowserProcessSpecificV8Snapshot", false],
    ["GrantFileProtocolExtraPrivileges", false],
    ["WasmTrapHandlers", true],
  ])("fuse %s is %s", (name, value) => {
    expect(fuses[FuseV1Options[name]]).toBe(value);
  });

  test("all fuses that this version of the tool knows are set", () => {
    expect(fuses).toMatchObject({ version: FuseVersion.V1 });
    const known = Object.values(FuseV1Options).filter((value) => typeof value === "number");
    expect(Object.keys(fuses).filter((key) => /^\d+$/.test(key))).toHaveLength(known.length);
  });
});

test("every window is secured and has developer tools in a checkout only", () => {
  const floor = Object.entries(toWebPreferences(true));
  const names = (wanted: boolean): string[] =>
    floor.flatMap(([name, value]) => (value === wanted ? [name] : [])).toSorted();
  expect(names(true)).toEqual(["contextIsolation", "sandbox", "webSecurity"]);
  expect(names(false)).toEqual(
    expect.arrayContaining([
      "allowRunningInsecureContent",
      "devTools",
      "nodeIntegration",
      "nodeIntegrationInSubFrames",
      "nodeIntegrationInWorker",
      "webviewTag",
    ]),
  );
  expect(toWebPreferences(false)).toEqual({ ...toWebPreferences(true), devTools: true });
});

describe("the package", () => {
  test.each([
    "",
    "/package.json",
    "/.vite",
    "/.vite/build",
    "/.vite/build/main.cjs",
    "/.vite/renderer/index.html",
    "/node_modules/sharp/dist/index.cjs",
    "/node_modules/@img/sharp-linux-x64/lib",
  ])("the package includes %j", (path) => {
    expect(isPackaged(path)).toBe(true);
    expect(packagerConfig.ignore(path)).toBe(false);
  });

  test.each([
    "/node_modules/find-my-way",
    "/node_modules/find-my-way/package.json",
    "/node_modules/sharpened",
    "/electron/main.ts",
    "/.vite/build-stamp.json",
    "/.vite/builder",
    "/.vite/staging",
    "/.vite/reports/unit.json",
    "/.git/config",
    "/package-lock.json",
    "/e2e",
    "/README.md",
  ])("the package excludes %s", (path) => {
    expect(packagerConfig.ignore(path)).toBe(true);
  });

  test("the package is an archive, with license, notices and icon next to it", () => {
    expect(packagerConfig.asar).toEqual({ unpack: unpackedFiles });
    expect(packagerConfig.extraResource).toEqual([...resourceFiles]);
    expect(resourceFiles).toContain("LICENSE");
    expect(resourceFiles).toContain("THIRD-PARTY-NOTICES.md");
    for (const file of resourceFiles) expect(existsSync(join(projectRoot, file))).toBe(true);
  });

  test("the package has an icon in each platform's format", () => {
    for (const ending of [".ico", ".icns", ".png"]) {
      expect(existsSync(join(projectRoot, `${packagerConfig.icon}${ending}`))).toBe(true);
    }
  });

  test("the package is bundled from entries and configurations that exist", () => {
    const { build, renderer } = pluginNamed("vite").config as {
      readonly build: readonly { readonly entry: string; readonly config: string }[];
      readonly renderer: readonly { readonly config: string }[];
    };
    const paths = [
      ...build.flatMap(({ entry, config }) => [entry, config]),
      ...renderer.map(({ config }) => config),
    ];
    for (const path of paths) expect(existsSync(join(projectRoot, path)), path).toBe(true);
  });
});

/** Names of packages and of rooms that only a team's service loads. */
const ofService =
  /^(node_modules\/(pg|pg-.*|@aws-sdk\/.*|@smithy\/.*|prom-client)|electron\/(catalog\/(postgres|objects)|platform\/(postgres|s3)|services\/admin))$/;

/** Returns the packages and rooms whose modules are in a bundle, such as `node_modules/ws`. */
function namesOfBundled(code: string): string[] {
  const modules = code.matchAll(/^\/\/ (node_modules\/(?:@[^/]+\/)?[^/]+|electron\/[^/]+\/[^/]+)\//gm);
  return [...new Set([...modules].map(([, name]) => name!))];
}

test("the command line loads the clients of a service only where one is configured", async () => {
  await ensureBuilt();
  const folder = join(projectRoot, ".vite", "cli");
  const read = (file: string): string => readFileSync(join(folder, file), "utf8");
  const chunks = readdirSync(folder).filter((file) => file.endsWith(".mjs"));
  const first = [...read("cli.mjs").matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, name]) => name!);
  const loaded = ["cli.mjs", ...first];
  for (const file of loaded) {
    const imported = [...read(file).matchAll(/^import .*"\.\/([^"]+)";$/gm)].map(([, name]) => name!);
    loaded.push(...imported.filter((name) => !loaded.includes(name)));
  }
  const isOfService = (file: string): boolean =>
    namesOfBundled(read(file)).some((name) => ofService.test(name));
  expect(chunks.filter(isOfService)).not.toEqual([]);
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.filter(isOfService)).toEqual([]);
}, 120_000);

describe("the packaged archive", { timeout: 120_000 }, () => {
  let folder: string;
  let archive: string;

  beforeAll(async () => {
    await ensureBuilt();
    folder = mkdtempSync(join(tmpdir(), "echotop-packaged-"));
    archive = join(folder, "app.asar");
    copyPackagedFiles(join(folder, "app"));
    await createPackageWithOptions(join(folder, "app"), archive, { unpack: unpackedFiles });
  }, 120_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const archived = (): readonly string[] =>
    listPackage(archive, { isPack: false }).map((path) => path.split(sep).join("/"));

  test("the archive contains the main file, every bundle and the assets", () => {
    for (const path of [
      `/${packageJson.main}`,
      "/package.json",
      "/.vite/build/preload.cjs",
      "/.vite/build/render-worker.cjs",
      "/.vite/build/generator-worker.cjs",
      "/.vite/renderer/index.html",
      "/.vite/assets/places.json",
      "/.vite/assets/briefing-map.json",
    ]) {
      expect(archived()).toContain(path);
    }
  });

  test("the archive contains nothing else", () => {
    const allowed =
      /^\/(package\.json|\.vite(\/(build|renderer|assets)(\/.*)?)?|node_modules(\/(sharp|detect-libc|semver|@img)(\/.*)?)?)$/;
    expect(archived().filter((path) => !allowed.test(path))).toEqual([]);
  });

  test("the bundles import no package but Electron at startup", () => {
    const imported = readdirSync(join(folder, "app", ".vite", "build")).flatMap((file) => {
      const code = extractFile(archive, join(".vite", "build", file)).toString("utf8");
      return [...code.matchAll(/^(?:var|let|const) \w+ = require\("([^"]+)"\);/gm)].map((match) => match[1]!);
    });
    expect(new Set(imported.filter((name) => !isBuiltin(name)))).toEqual(new Set(["electron"]));
  });

  test("the bundles contain no client of a service: neither database, object store nor metrics", () => {
    const code = readdirSync(join(folder, "app", ".vite", "build")).map((file) =>
      extractFile(archive, join(".vite", "build", file)).toString("utf8"),
    );
    const names = code.flatMap(namesOfBundled);
    expect(names).toContain("node_modules/ws");
    expect(names).toContain("electron/catalog/sqlite");
    expect(names.filter((name) => ofService.test(name))).toEqual([]);
  });

  test("the main file imports only native packages later, which the archive contains with all dependencies", () => {
    const code = extractFile(archive, packageJson.main).toString("utf8");
    const left = [...code.matchAll(/\b(?:require|import)\("([^"./][^"]*)"\)/g)]
      .map((match) => match[1]!)
      // Ajv names files of its own in the source text that it can generate.
      .filter((name) => !isBuiltin(name) && name !== "electron" && !/^ajv(-formats)?\//.test(name));
    expect(new Set(left)).toEqual(new Set(nativePackages));
    const needed: string[] = [...nativePackages];
    for (const name of needed) {
      expect(archived()).toContain(`/node_modules/${name}/package.json`);
      const manifest = readFileSync(join(projectRoot, "node_modules", name, "package.json"), "utf8");
      const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
      needed.push(...Object.keys(dependencies).filter((one) => !needed.includes(one)));
    }
  });

  test("native code is unpacked and draws without any other package", () => {
    const unpacked = readdirSync(`${archive}.unpacked`, { recursive: true }).map(String);
    const native = unpacked.filter((path) => /\.(node|so|dylib|dll)(\.[\d.]+)?$/.test(path));
    expect(native.some((path) => path.endsWith(".node"))).toBe(true);
    expect(archived().filter((path) => path.endsWith(".node"))).toHaveLength(
      native.filter((path) => path.endsWith(".node")).length,
    );
    const load = createRequire(join(`${archive}.unpacked`, "main.cjs"));
    expect(load.resolve("sharp")).toBe(
      join(`${archive}.unpacked`, "node_modules", "sharp", "dist", "index.cjs"),
    );
    const script = `require("sharp")({create:{width:1,height:1,channels:3,background:"#123456"}}).png().toBuffer().then((png) => console.log(png.length > 60))`;
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], {
      cwd: `${archive}.unpacked`,
      encoding: "utf8",
    });
    expect({ stdout, stderr }).toEqual({ stdout: "true\n", stderr: "" });
  });

  test("no packaged file reveals a path of the build machine", () => {
    const own = join(folder, "app");
    for (const file of readdirSync(own, { recursive: true, withFileTypes: true })) {
      if (!file.isFile() || !/\.(cjs|js|html|css|json)$/.test(file.name)) continue;
      if (file.parentPath.includes("node_modules")) continue;
      const path = join(file.parentPath, file.name);
      expect(readFileSync(path, "utf8").includes(projectRoot), relative(own, path)).toBe(false);
    }
  });

  const startWorker = (file: string): Worker => new Worker(join(folder, "app", ".vite", "build", file));

  /** Resolves with a worker's first message; rejects if the worker fails. */
  function nextMessage(worker: Worker): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    worker.once("message", resolve);
    worker.once("error", reject);
    return promise;
  }

  test("the render worker starts as a thread", async () => {
    const worker = startWorker("render-worker.cjs");
    expect(await nextMessage(worker)).toEqual({ kind: "ready" });
    await worker.terminate();
  });

  test("the generator worker makes the demonstration's files", async () => {
    const worker = startWorker("generator-worker.cjs");
    worker.postMessage(demonstrationSteps[0]);
    expect(await nextMessage(worker)).toMatchObject([
      { product: "mrms-reflectivity" },
      { product: "mrms-mesh" },
    ]);
    await worker.terminate();
  });
});

describe.skipIf(runtime === undefined)("in Electron itself (needs its runtime)", () => {
  test("the application starts, prints its address, and quits", { timeout: 90_000 }, async () => {
    await ensureBuilt();
    const data = mkdtempSync(join(tmpdir(), "echotop-electron-run-"));
    const isRoot = process.getuid?.() === 0;
    const args = [projectRoot, `--data=${data}`, "--port=0", ...(isRoot ? ["--no-sandbox"] : [])];
    const child = spawn(runtime!, args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const { promise: ended, resolve } = Promise.withResolvers<number | null>();
    child.on("close", resolve);
    try {
      await expect.poll(() => text, { timeout: 60_000 }).toContain('"listening"');
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
    } finally {
      child.kill("SIGKILL");
      rmSync(data, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
