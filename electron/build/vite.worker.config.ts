// The bundle of the render worker, which the host starts as a thread.
import { defineConfig } from "vite";
import { nodeBuild } from "./node-build.ts";

export default defineConfig(nodeBuild("electron/pipeline/ingest/render-worker.ts"));
