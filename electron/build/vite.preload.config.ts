// Bundles the preload script into one file, as the sandbox demands.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

export default defineConfig(nodeBuild("electron/preload.ts"));
