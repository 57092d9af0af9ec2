// Bundles Electron's main process and the host. What only a service needs is left out: the app has no configuration
// file, so it never imports it.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

const { build, ...base } = nodeBuild("electron/main.ts");

export default defineConfig({
  ...base,
  // A package that others find by chance, to color a log that nobody sees; any module without its names does.
  resolve: { alias: { "supports-color": "node:tty" } },
  build: {
    ...build,
    rolldownOptions: {
      ...build!.rolldownOptions,
      external: [
        ...(build!.rolldownOptions!.external as readonly string[]),
        /\/service-(?:control-)?stores\.ts$/,
      ],
    },
  },
});
