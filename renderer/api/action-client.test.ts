import { describe, expect, test, vi } from "vitest";
import { actionNames } from "../../shared/contract/action-names.ts";
import type { DesktopBridge } from "../../shared/contract/bridge.ts";
import { createBrowserCarrier, createDesktopCarrier } from "./action-client.ts";

const task = {
  id: "task-1",
  kind: "fetch",
  eventId: "iowa",
  state: "running",
  progress: { done: 0, total: 0 },
  message: "",
};

function answering(status: number, body: string) {
  const send = vi.fn<typeof fetch>(() => Promise.resolve(new Response(body, { status })));
  return { send, carrier: createBrowserCarrier({ fetch: send, findToken: () => "t" }) };
}

describe("an action from a browser", () => {
  test("is posted with the token, and its answer is read by the contract", async () => {
    const { send, carrier } = answering(200, JSON.stringify(task));
    expect(await carrier("events.fetch", { eventId: "iowa" })).toEqual({ ok: task });
    const [path, init] = send.mock.calls[0]!;
    expect(path).toBe("/app/events.fetch");
    expect(init).toMatchObject({
      method: "POST",
      body: '{"eventId":"iowa"}',
      headers: { authorization: "Bearer t", "content-type": "application/json" },
    });
  });

  test("is not even sent without a token", async () => {
    const send = vi.fn<typeof fetch>();
    const carrier = createBrowserCarrier({ fetch: send, findToken: () => undefined });
    expect(await carrier("tasks.list", {})).toMatchObject({ problem: { code: "refused" } });
    expect(send).not.toHaveBeenCalled();
  });

  test.each([
    [400, "invalid-input"],
    [401, "refused"],
    [403, "refused"],
    [404, "not-found"],
    [409, "conflict"],
    [412, "steps-changed"],
    [500, "unexpected"],
  ])("that is answered with %d has failed with the service's own sentence", async (status, code) => {
    const { carrier } = answering(status, '{"message":"So it is."}');
    expect(await carrier("tasks.list", {})).toEqual({ problem: { code, detail: "So it is." } });
  });

  test.each(["", "<html>", '{"tasks":[{"id":1}]}'])("is not believed when it answers %j", async (body) => {
    const { carrier } = answering(200, body);
    expect(await carrier("tasks.list", {})).toMatchObject({ problem: { code: "unreadable" } });
  });

  test("reports that nothing answered", async () => {
    const carrier = createBrowserCarrier({
      fetch: () => Promise.reject(new TypeError("fetch failed")),
      findToken: () => "t",
    });
    expect(await carrier("tasks.list", {})).toMatchObject({ problem: { code: "unreachable" } });
  });
});

describe("an action over the bridge", () => {
  function bridgeAnswering(answer: () => Promise<unknown>) {
    const names = actionNames.map((name) => [name, vi.fn(answer)] as const);
    return {
      actions: Object.fromEntries(names) as unknown as DesktopBridge["actions"],
      onFilesProgress: () => () => undefined,
      onNews: () => () => undefined,
    };
  }

  test("reaches the function of its name, and its outcome is read by the contract", async () => {
    const bridge = bridgeAnswering(() => Promise.resolve({ ok: task }));
    const carrier = createDesktopCarrier(bridge);
    expect(await carrier("events.fetch", { eventId: "iowa" })).toEqual({ ok: task });
    expect(bridge.actions["events.fetch"]).toHaveBeenCalledExactlyOnceWith({ eventId: "iowa" });
    expect(bridge.actions["events.archive"]).not.toHaveBeenCalled();
  });

  test("passes a problem on, and rejects anything else", async () => {
    const problem = { code: "conflict", detail: "It is archived." };
    const refused = createDesktopCarrier(bridgeAnswering(() => Promise.resolve({ problem })));
    expect(await refused("tasks.list", {})).toEqual({ problem });
    for (const answer of [() => Promise.resolve({}), () => Promise.reject(new Error("gone"))]) {
      const carrier = createDesktopCarrier(bridgeAnswering(answer));
      expect(await carrier("tasks.list", {})).toMatchObject({ problem: { code: "unreadable" } });
    }
  });
});
