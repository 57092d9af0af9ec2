// The bundle of the preload script: one file, as a sandboxed preload must be.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

export default defineConfig(nodeBuild("electron/preload.ts"));
