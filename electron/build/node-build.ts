// The Vite configuration of bundles for Node: one readable CommonJS file per entry. It contains everything except
// Node's modules, Electron and the native packages, so that nothing else is needed from `node_modules`.
import { basename } from "node:path";
import type { UserConfig } from "vite";
import { nativePackages } from "./packaged-files.ts";
import { projectRoot } from "../platform/project-root.ts";

/** `entry` is a path below the project's root; the bundle is named after it and ends in `.cjs`. */
export function nodeBuild(entry: string): UserConfig {
  return {
    root: projectRoot,
    publicDir: false,
    clearScreen: false,
    // A server build keeps `import.meta.dirname` and Node's modules.
    ssr: { noExternal: true, external: [...nativePackages], target: "node" },
    build: {
      ssr: true,
      outDir: ".vite/build",
      emptyOutDir: false,
      // Electron 45 has Node 24 as well.
      target: "node24",
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: entry,
        external: ["electron", ...nativePackages],
        output: {
          format: "cjs",
          entryFileNames: `${basename(entry, ".ts")}.cjs`,
          codeSplitting: false,
        },
      },
    },
  };
}
