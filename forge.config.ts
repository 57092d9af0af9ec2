// Electron Forge: bundles with the project's own Vite configurations, packs the bundles and one native library into
// an archive, and sets the fuses. Installers are electron-builder's business, see
// `electron/build/electron-builder.config.ts`.
import { FusesPlugin } from "@electron-forge/plugin-fuses";
import { join } from "node:path";
import { VitePlugin } from "@electron-forge/plugin-vite";
import { FuseV1Options, FuseVersion } from "@electron/fuses";
import { linkProtocol, macDocumentTypes } from "./electron/build/open-with.ts";
import { isPackaged, resourceFiles, unpackedFiles } from "./electron/build/packaged-files.ts";
import { identity } from "./shared/identity.ts";

/** Electron's zip from a folder of this machine, for packaging without a network; else Forge downloads it. */
const electronZipDir = process.env.ECHOTOP_ELECTRON_ZIP_DIR;

export default {
  packagerConfig: {
    name: identity.productName,
    executableName: identity.executableName,
    appBundleId: identity.appId,
    appCategoryType: identity.macCategory,
    appCopyright: identity.copyright,
    // Without its ending: the packager takes `.icns` or `.ico` as the platform needs.
    icon: "assets/icons/echotop",
    asar: { unpack: unpackedFiles },
    // What is packaged of `node_modules` is chosen by name, so there is nothing to prune.
    prune: false,
    ignore: (path: string): boolean => !isPackaged(path),
    extraResource: [...resourceFiles],
    protocols: [linkProtocol],
    extendInfo: macDocumentTypes,
    ...(electronZipDir === undefined ? {} : { electronZipDir }),
    win32metadata: {
      CompanyName: identity.productName,
      FileDescription: identity.description,
      ProductName: identity.productName,
    },
  },
  rebuildConfig: { onlyModules: [] },
  hooks: {
    // Forge clears `.vite` before it bundles, so what is no bundle is made in the copy that it packs.
    packageAfterCopy: async (_config: unknown, copyPath: string): Promise<void> => {
      const { writeGazetteer } = await import("./electron/services/storm/places/build-gazetteer.ts");
      await writeGazetteer(join(copyPath, ".vite", "assets", "places.json"));
      const { writeBriefingMap } = await import("./electron/build/briefing-map/write-briefing-map.ts");
      await writeBriefingMap(join(copyPath, ".vite", "assets", "briefing-map.json"));
      const { writeUpdateTrust } = await import("./electron/build/update-trust.ts");
      await writeUpdateTrust(join(copyPath, ".vite", "assets", "update-trust.json"));
    },
  },
  makers: [],
  plugins: [
    new VitePlugin({
      build: [
        { entry: "electron/main.ts", config: "electron/build/vite.main.config.ts", target: "main" },
        {
          entry: "electron/pipeline/ingest/render-worker.ts",
          config: "electron/build/vite.worker.config.ts",
          target: "main",
        },
        {
          entry: "electron/pipeline/demo/generator-worker.ts",
          config: "electron/build/vite.generator.config.ts",
          target: "main",
        },
        { entry: "electron/preload.ts", config: "electron/build/vite.preload.config.ts", target: "preload" },
      ],
      renderer: [{ name: "viewer", config: "renderer/vite.config.ts" }],
    }),
    new FusesPlugin({
      version: FuseVersion.V1,
      [FuseV1Options.RunAsNode]: false,
      [FuseV1Options.EnableCookieEncryption]: true,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: false,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
      [FuseV1Options.OnlyLoadAppFromAsar]: true,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
      // WebAssembly traps as out-of-bounds checks: faster, and on as Electron ships it.
      [FuseV1Options.WasmTrapHandlers]: true,
    }),
  ],
};
