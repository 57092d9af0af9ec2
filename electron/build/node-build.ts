// How code for Node is bundled: one CommonJS file an entry, readable, with everything in it but Node's own modules, Electron
// and the native packages that are packaged beside it. Nothing else may be left to be found in `node_modules`.
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { UserConfig } from "vite";
import { nativePackages } from "./packaged-files.ts";

const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/** `entry` is a path from the project's root; the bundle has its base name and ends in `.cjs`. */
export function nodeBuild(entry: string): UserConfig {
  return {
    root: projectRoot,
    publicDir: false,
    clearScreen: false,
    // As a server build, Vite keeps `import.meta.dirname` and Node's modules as Node knows them.
    ssr: { noExternal: true, external: [...nativePackages], target: "node" },
    build: {
      ssr: true,
      outDir: ".vite/build",
      emptyOutDir: false,
      // Node 24, in Electron 45 and outside it, runs what we write.
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
