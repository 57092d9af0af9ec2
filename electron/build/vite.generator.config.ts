// Bundles the generator of the demonstration, a worker thread.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

export default defineConfig(nodeBuild("electron/pipeline/demo/generator-worker.ts"));
