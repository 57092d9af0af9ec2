// The bundle of Electron's main process, with the host in it.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

export default defineConfig(nodeBuild("electron/main.ts"));
