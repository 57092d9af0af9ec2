// The bundle of the render worker, which the host starts as a thread.
import { defineConfig } from "vite";
import { nodeBuild } from "./launch/node-build.ts";

export default defineConfig(nodeBuild("electron/ingest/render-worker.ts"));
