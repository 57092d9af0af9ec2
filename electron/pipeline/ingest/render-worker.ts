// The render worker's entry: runs tasks from its pool and sends back results and errors. The picture is transferred,
// not copied.
import { parentPort } from "node:worker_threads";
import { runTask, type RenderTask, type WorkerMessage } from "./render-task.ts";
import { toPortable } from "./source-error.ts";

if (!parentPort) throw new Error("This is a worker's entry; start it as a worker.");
const port = parentPort;

function send(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function work(task: RenderTask): Promise<void> {
  try {
    const result = await runTask(task);
    if (!("png" in result)) {
      send({ kind: "done", result });
      return;
    }
    const png = toOwnBuffer(result.png);
    send({ kind: "done", result: { ...result, png } }, [png.buffer]);
  } catch (error) {
    send({ kind: "failed", error: toPortable(error) });
  }
}

/** Returns bytes that own their buffer: Node's small buffers share one, which cannot be transferred. */
function toOwnBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const owns = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return owns ? new Uint8Array(buffer) : Uint8Array.from(bytes);
}

port.on("message", (task: RenderTask) => {
  void work(task);
});
send({ kind: "ready" });
