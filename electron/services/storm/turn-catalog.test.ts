import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { MemoryCatalog } from "./support/memory-catalog.ts";
import { createTurnCatalog } from "./turn-catalog.ts";

/** Returns a catalog that counts its reads. */
class CountingCatalog extends MemoryCatalog {
  asked = 0;
  override findLatestRevision = (eventId: string) => {
    this.asked += 1;
    return super.findLatestRevision(eventId);
  };
  override hasFrame = (...frame: Parameters<MemoryCatalog["hasFrame"]>) => {
    this.asked += 1;
    return super.hasFrame(...frame);
  };
}

test("reads once for the same request of one turn, and again in the next", async () => {
  const catalog = new CountingCatalog();
  const turn = createTurnCatalog(catalog);
  const [first, second] = [turn.findLatestRevision("a"), turn.findLatestRevision("a")];
  void turn.findLatestRevision("b");
  expect(catalog.asked).toBe(2);
  expect(await first).toBe(await second);
  const revision = catalog.publish("a");
  await nextTurn();
  expect(await turn.findLatestRevision("a")).toBe(revision);
  expect(catalog.asked).toBe(3);
});

test("reads again in the next turn after a failure", async () => {
  const catalog = new CountingCatalog();
  const turn = createTurnCatalog(catalog);
  const asked = catalog.findLatestRevision;
  catalog.findLatestRevision = () => Promise.reject(new Error("no"));
  await expect(turn.findLatestRevision("a")).rejects.toThrow("no");
  catalog.findLatestRevision = asked;
  await nextTurn();
  expect(await turn.findLatestRevision("a")).toBeUndefined();
});

test("caches a found frame until a commit, and never a missing one", async () => {
  const catalog = new CountingCatalog();
  const turn = createTurnCatalog(catalog);
  expect(await turn.hasFrame("a", "mrms-mesh", "x")).toBe(false);
  expect(await turn.hasFrame("a", "mrms-mesh", "x")).toBe(false);
  expect(catalog.asked).toBe(2);
  catalog.addFrame("a", "mrms-mesh", "x");
  expect(await turn.hasFrame("a", "mrms-mesh", "x")).toBe(true);
  expect(await turn.hasFrame("a", "mrms-mesh", "x")).toBe(true);
  expect(catalog.asked).toBe(3);
  expect(await turn.hasFrame("a", "mrms-reflectivity", "x")).toBe(false);
  expect(await turn.hasFrame("b", "mrms-mesh", "x")).toBe(false);
  catalog.publish("a");
  expect(await turn.hasFrame("a", "mrms-mesh", "x")).toBe(true);
  expect(catalog.asked).toBe(6);
});

test("does not cache an answer that a commit overtakes", async () => {
  const catalog = new CountingCatalog();
  catalog.addFrame("a", "mrms-mesh", "x");
  const turn = createTurnCatalog(catalog);
  const asked = turn.hasFrame("a", "mrms-mesh", "x");
  catalog.publish("a");
  expect(await asked).toBe(true);
  await turn.hasFrame("a", "mrms-mesh", "x");
  expect(catalog.asked).toBe(2);
});

test("closing stops listening", () => {
  const catalog = new CountingCatalog();
  const turn = createTurnCatalog(catalog);
  expect(catalog.listenerCount).toBe(1);
  turn.close();
  expect(catalog.listenerCount).toBe(0);
});
