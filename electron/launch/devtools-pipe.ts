// The DevTools protocol over two inherited pipes, as far as the launcher needs it: which pages a browser shows, and
// asking it to close. A pipe rather than a port, so that no other program on the machine can drive the window; and a
// browser ends by itself when its pipe breaks, so that it never outlives the launcher.
import type { Readable, Writable } from "node:stream";
import * as z from "zod";

const TargetMessage = z.discriminatedUnion("method", [
  z.object({
    method: z.literal("Target.targetCreated"),
    params: z.object({ targetInfo: z.object({ targetId: z.string(), type: z.string() }) }),
  }),
  z.object({ method: z.literal("Target.targetDestroyed"), params: z.object({ targetId: z.string() }) }),
]);

export interface DevtoolsPipe {
  /** Asks the browser to close. A browser that has gone already is not asked. */
  readonly closeBrowser: () => void;
}

/** Messages are JSON texts, each ended by a zero byte. `onPageCount` is called with every new number of open pages. */
export function connectDevtools(
  toBrowser: Writable,
  fromBrowser: Readable,
  onPageCount: (count: number) => void,
): DevtoolsPipe {
  const pages = new Set<string>();
  let pending = "";
  let nextId = 1;
  const send = (method: string, params: Readonly<Record<string, unknown>>): void => {
    if (!toBrowser.writable) return;
    toBrowser.write(`${JSON.stringify({ id: nextId++, method, params })}\0`);
  };
  const take = (text: string): void => {
    const { success, data } = TargetMessage.safeParse(JSON.parse(text));
    if (!success) return;
    const before = pages.size;
    if (data.method === "Target.targetDestroyed") pages.delete(data.params.targetId);
    else if (data.params.targetInfo.type === "page") pages.add(data.params.targetInfo.targetId);
    if (pages.size !== before) onPageCount(pages.size);
  };
  fromBrowser.setEncoding("utf8");
  fromBrowser.on("data", (chunk: string) => {
    const texts = (pending + chunk).split("\0");
    pending = texts.pop() ?? "";
    for (const text of texts) take(text);
  });
  // Either end breaks when the browser goes; its exit says so better.
  toBrowser.on("error", () => undefined);
  fromBrowser.on("error", () => undefined);
  send("Target.setDiscoverTargets", { discover: true });
  return {
    closeBrowser: () => {
      send("Browser.close", {});
    },
  };
}
