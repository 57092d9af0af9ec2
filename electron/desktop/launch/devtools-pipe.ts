// The part of the DevTools protocol that the launcher needs: count pages, navigate one, close the browser. It runs
// over pipes: other programs cannot use them as they could a port, and a browser ends when its pipe breaks.
import type { Readable, Writable } from "node:stream";
import * as z from "zod";

const TargetMessage = z.discriminatedUnion("method", [
  z.object({
    method: z.literal("Target.targetCreated"),
    params: z.object({ targetInfo: z.object({ targetId: z.string(), type: z.string() }) }),
  }),
  z.object({ method: z.literal("Target.targetDestroyed"), params: z.object({ targetId: z.string() }) }),
]);

/** Response to `Target.attachToTarget`: a session with a page. */
const AttachAnswer = z.object({ id: z.int(), result: z.object({ sessionId: z.string() }) });

export interface DevtoolsPipe {
  /** Asks the browser to close; does nothing if it has ended. */
  readonly closeBrowser: () => void;
}

export interface DevtoolsOptions {
  readonly toBrowser: Writable;
  readonly fromBrowser: Readable;
  /** Called when the number of open pages changes. */
  readonly onPageCount: (count: number) => void;
  /** Address that each new page is navigated to; undefined: none. */
  readonly goTo?: string | undefined;
}

/** Messages are JSON texts, each followed by a zero byte. */
export function connectDevtools({
  toBrowser,
  fromBrowser,
  onPageCount,
  goTo,
}: DevtoolsOptions): DevtoolsPipe {
  const pages = new Set<string>();
  const attaching = new Set<number>();
  let pending = "";
  let nextId = 1;
  const send = (method: string, params: Readonly<Record<string, unknown>>, sessionId?: string): number => {
    const id = nextId++;
    const message = { id, method, params, ...(sessionId !== undefined && { sessionId }) };
    if (toBrowser.writable) toBrowser.write(`${JSON.stringify(message)}\0`);
    return id;
  };
  const addPage = (targetId: string): void => {
    if (pages.has(targetId)) return;
    pages.add(targetId);
    if (goTo !== undefined) attaching.add(send("Target.attachToTarget", { targetId, flatten: true }));
    onPageCount(pages.size);
  };
  const takeSession = (message: unknown): void => {
    const { data } = AttachAnswer.safeParse(message);
    if (data === undefined || !attaching.delete(data.id)) return;
    const { sessionId } = data.result;
    send("Page.navigate", { url: goTo }, sessionId);
    send("Target.detachFromTarget", { sessionId });
  };
  const take = (text: string): void => {
    const message: unknown = JSON.parse(text);
    const { success, data } = TargetMessage.safeParse(message);
    if (!success) takeSession(message);
    else if (data.method === "Target.targetDestroyed") {
      if (pages.delete(data.params.targetId)) onPageCount(pages.size);
    } else if (data.params.targetInfo.type === "page") addPage(data.params.targetInfo.targetId);
  };
  fromBrowser.setEncoding("utf8");
  fromBrowser.on("data", (chunk: string) => {
    const texts = (pending + chunk).split("\0");
    pending = texts.pop() ?? "";
    for (const text of texts) take(text);
  });
  // Both ends break when the browser exits; its exit is reported elsewhere.
  toBrowser.on("error", () => undefined);
  fromBrowser.on("error", () => undefined);
  send("Target.setDiscoverTargets", { discover: true });
  return {
    closeBrowser: () => {
      send("Browser.close", {});
    },
  };
}
