// Bundles the command line and its worker threads, as modules that share chunks. The bundle runs in this checkout.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

const { build, ...base } = nodeBuild("electron/cli.ts");

export default defineConfig({
  ...base,
  build: {
    ...build,
    rolldownOptions: {
      ...build!.rolldownOptions,
      input: [
        "electron/cli.ts",
        "electron/pipeline/ingest/render-worker.ts",
        "electron/pipeline/demo/generator-worker.ts",
        "electron/host/analysis/frame-worker.ts",
      ],
      output: { format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
    },
  },
});
