// Bundles Electron's main process and the host.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

export default defineConfig(nodeBuild("electron/main.ts"));
