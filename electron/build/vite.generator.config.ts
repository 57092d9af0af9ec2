// The bundle of the demonstration's generator, which the host starts as a thread.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

export default defineConfig(nodeBuild("electron/pipeline/demo/generator-worker.ts"));
