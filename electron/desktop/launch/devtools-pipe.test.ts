import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { connectDevtools } from "./devtools-pipe.ts";

function setUp(goTo?: string) {
  const toBrowser = new PassThrough();
  const fromBrowser = new PassThrough();
  const counts: number[] = [];
  const pipe = connectDevtools({
    toBrowser,
    fromBrowser,
    onPageCount: (count) => counts.push(count),
    goTo,
  });
  const sent = (): unknown[] =>
    String(toBrowser.read() ?? "")
      .split("\0")
      .filter((text) => text !== "")
      .map((text) => JSON.parse(text) as unknown);
  return { toBrowser, fromBrowser, counts, pipe, sent };
}

const created = (targetId: string, type: string): string =>
  JSON.stringify({ method: "Target.targetCreated", params: { targetInfo: { targetId, type, url: "x" } } });
const destroyed = (targetId: string): string =>
  JSON.stringify({ method: "Target.targetDestroyed", params: { targetId } });

test("the browser is asked to report its pages, and to close on request", () => {
  const { pipe, sent } = setUp();
  expect(sent()).toEqual([{ id: 1, method: "Target.setDiscoverTargets", params: { discover: true } }]);
  pipe.closeBrowser();
  expect(sent()).toEqual([{ id: 2, method: "Browser.close", params: {} }]);
});

test("only pages are counted", () => {
  const { fromBrowser, counts } = setUp();
  const messages = [
    '{"id":1,"result":{}}',
    created("worker", "service_worker"),
    created("a", "page"),
    created("a", "page"),
    created("b", "page"),
    destroyed("worker"),
    destroyed("a"),
    destroyed("b"),
  ];
  fromBrowser.write(messages.map((message) => `${message}\0`).join(""));
  expect(counts).toEqual([1, 2, 1, 0]);
});

test("each page is navigated to the address once, or stays without one", () => {
  const { fromBrowser, sent } = setUp("http://127.0.0.1:1/#x");
  sent();
  fromBrowser.write(`${created("a", "page")}\0${created("a", "page")}\0${created("w", "worker")}\0`);
  expect(sent()).toEqual([
    { id: 2, method: "Target.attachToTarget", params: { targetId: "a", flatten: true } },
  ]);
  fromBrowser.write('{"id":1,"result":{"sessionId":"other"}}\0{"id":2,"result":{"sessionId":"s"}}\0');
  expect(sent()).toEqual([
    { id: 3, method: "Page.navigate", params: { url: "http://127.0.0.1:1/#x" }, sessionId: "s" },
    { id: 4, method: "Target.detachFromTarget", params: { sessionId: "s" } },
  ]);
  fromBrowser.write('{"id":2,"result":{"sessionId":"s"}}\0');
  expect(sent()).toEqual([]);

  const still = setUp();
  still.sent();
  still.fromBrowser.write(`${created("a", "page")}\0`);
  expect(still.sent()).toEqual([]);
});

test("messages may arrive in chunks, also within a character", () => {
  const { fromBrowser, counts } = setUp();
  const bytes = Buffer.from(`${created("seite-ä", "page")}\0${destroyed("seite-ä")}\0`);
  for (const byte of bytes) fromBrowser.write(Buffer.of(byte));
  expect(counts).toEqual([1, 0]);
});

test("a browser that has ended is not asked to close", () => {
  const { toBrowser, pipe } = setUp();
  toBrowser.destroy(new Error("EPIPE"));
  expect(() => {
    pipe.closeBrowser();
  }).not.toThrow();
});
