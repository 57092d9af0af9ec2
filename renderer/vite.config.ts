// The build of the viewer: two pages and hashed assets, nothing inline, so that it runs under a content security
// policy without `unsafe-*`.
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { basemapPlugin } from "../electron/build/basemap/basemap-plugin.ts";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), basemapPlugin()],
  worker: { format: "es" },
  build: {
    outDir: fileURLToPath(new URL("../.vite/renderer", import.meta.url)),
    emptyOutDir: true,
    target: "esnext",
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // MapLibre is a chunk of its own of a megabyte, and is loaded from this machine.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: ["index.html", "presenter.html"].map((page) => fileURLToPath(new URL(page, import.meta.url))),
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            { name: "maplibre", test: /node_modules[\\/]maplibre-gl/ },
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|zustand)[\\/]/ },
          ],
        },
      },
    },
  },
});
