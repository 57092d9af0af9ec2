// The DevTools protocol over two inherited pipes, as far as the launcher needs it: which pages a browser shows, taking one
// to an address, and asking it to close. A pipe rather than a port, so that no other program on the machine can drive the window; and a
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

/** The answer to the one request whose answer matters: a session with a page. */
const AttachAnswer = z.object({ id: z.int(), result: z.object({ sessionId: z.string() }) });

export interface DevtoolsPipe {
  /** Asks the browser to close. A browser that has gone already is not asked. */
  readonly closeBrowser: () => void;
}

export interface DevtoolsOptions {
  readonly toBrowser: Writable;
  readonly fromBrowser: Readable;
  /** Called with every new number of open pages. */
  readonly onPageCount: (count: number) => void;
  /** Where each page is taken as soon as it is there; undefined leaves it where it is. */
  readonly goTo?: string | undefined;
}

/** Messages are JSON texts, each ended by a zero byte. */
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
