// Bundles the render worker, a worker thread.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

export default defineConfig(nodeBuild("electron/pipeline/ingest/render-worker.ts"));
