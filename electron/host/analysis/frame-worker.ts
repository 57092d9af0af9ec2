// The entry of a frame worker: gets its job, and takes the next frame of the crew's list until none is left.
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { openFrameStore } from "../../catalog/stores/open-frame-store.ts";
import type { StoresLocation } from "../../catalog/stores/located-stores.ts";
import { frameWorks, type CrewMessage, type FrameJob, type FrameWork, type JobKind } from "./frame-jobs.ts";

export interface CrewData {
  readonly location: StoresLocation;
  /** One number that all workers share: the place of the next item. */
  readonly cursor: Int32Array<SharedArrayBuffer>;
}

if (!parentPort) throw new Error("This is a worker's entry; start it as a worker.");
const port = parentPort;

async function work<Kind extends JobKind>(job: FrameJob<Kind>): Promise<void> {
  const send = (message: CrewMessage<Kind>, transfer: ArrayBuffer[] = []): void => {
    port.postMessage(message, transfer);
  };
  const { location, cursor } = workerData as CrewData;
  const frames = await openFrameStore(location, { cacheByteLimit: 0, isBlocking: true });
  const { run, finish }: FrameWork<Kind> = frameWorks[job.kind](frames, job.setup);
  for (let index = Atomics.add(cursor, 0, 1); index < job.items.length; index = Atomics.add(cursor, 0, 1)) {
    send({ index, result: await run(job.items[index]!) });
  }
  await frames.close();
  const rest = finish();
  send({ rest }, rest ? [rest.highest.buffer] : []);
}

const [job] = (await once(port, "message")) as [FrameJob<JobKind>];
await work(job);
