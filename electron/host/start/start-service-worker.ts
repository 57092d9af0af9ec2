// Starts the worker of a service with the render pool of this program. Loaded only where a process has the role.
import type { ServiceWork } from "../../catalog/stores/backfill-queue.ts";
import type { Stores } from "../../catalog/stores/located-stores.ts";
import { createRenderPool } from "../../pipeline/ingest/render-pool.ts";
import type { Effects } from "../../platform/effects.ts";
import { startWorker, type RunningWorker } from "../../sources/backfill/start-worker.ts";
import type { HostConfig } from "../config/host-config.ts";

export function startServiceWorker(
  { renderWorkerUrl: workerUrl }: Pick<HostConfig, "renderWorkerUrl">,
  stores: Stores,
  service: ServiceWork,
  effects: Effects,
): RunningWorker {
  return startWorker({ stores, service, effects, openPool: () => createRenderPool({ workerUrl }) });
}
