import { describe, expect, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { heldReadLimits } from "./storm-limits.ts";
import { MemoryCatalog } from "./support/memory-catalog.ts";
import { startTestService } from "./support/test-service.ts";

/** A catalog in memory that can go away: its reads then fail, or never end. */
class LeavingCatalog extends MemoryCatalog {
  state: "there" | "gone" | "silent" = "there";

  override listEvents = (limit: number) => this.#ask(() => super.listEvents(limit));
  override findEvent = (eventId: string) => this.#ask(() => super.findEvent(eventId));
  override listRevisions = (eventId: string, limit: number) =>
    this.#ask(() => super.listRevisions(eventId, limit));
  override findLatestRevision = (eventId: string) => this.#ask(() => super.findLatestRevision(eventId));
  override findRevision = (eventId: string, revisionId: string) =>
    this.#ask(() => super.findRevision(eventId, revisionId));
  override hasFrame = (...frame: Parameters<MemoryCatalog["hasFrame"]>) =>
    this.#ask(() => super.hasFrame(...frame));

  #ask<T>(read: () => Promise<T>): Promise<T> {
    if (this.state === "there") return read();
    if (this.state === "silent") return new Promise<never>(() => undefined);
    return Promise.reject(new AppError("storage-unavailable", "No database at db1.s3cr3t answers."));
  }
}

const latestPath = "/v1/storm-events/storm/manifest";
const mark = "echotop; hit; detail=catalog-unavailable";

async function startLeaving() {
  const catalog = new LeavingCatalog();
  const service = await startTestService({ catalog });
  catalog.addEvent({ id: "storm" });
  catalog.publish("storm");
  const frameId = await service.frames.put(Buffer.from("a frame"));
  catalog.addFrame("storm", "mrms-mesh", frameId);
  const framePath = `/v1/storm-events/storm/frames/mrms-mesh/${frameId}.png`;
  return { ...service, catalog, framePath };
}

describe("without its catalog, the service", () => {
  test("answers what it has read before, and says so", async () => {
    const { catalog, get, framePath } = await startLeaving();
    const paths = ["/v1/storm-events", "/v1/storm-events/storm/revisions", latestPath];
    const before = await Promise.all(paths.map(async (path) => (await get(path)).headers.get("etag")));
    expect((await get(framePath)).status).toBe(200);
    catalog.state = "gone";
    for (const [index, path] of paths.entries()) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get("etag")).toBe(before[index]);
      expect(response.headers.get("cache-status")).toBe(mark);
    }
    const unchanged = await get(latestPath, { "if-none-match": before[2]! });
    expect([unchanged.status, unchanged.headers.get("cache-status")]).toEqual([304, mark]);
    // A frame never changes: it is not old.
    const frame = await get(framePath);
    expect([frame.status, frame.headers.get("cache-status")]).toEqual([200, null]);
  });

  test("answers frames that were shown before the last commit", async () => {
    const { catalog, get, framePath } = await startLeaving();
    await get(framePath);
    catalog.publish("storm");
    catalog.state = "gone";
    expect((await get(framePath)).status).toBe(200);
  });

  test("refuses the rest for a while, without saying why in detail", async () => {
    const { catalog, get, framePath } = await startLeaving();
    catalog.state = "gone";
    for (const path of ["/v1/storm-events", latestPath, framePath]) {
      const response = await get(path);
      expect([path, response.status, response.headers.get("retry-after")]).toEqual([path, 503, "5"]);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.text()).not.toContain("s3cr3t");
    }
  });

  test("is as before once the catalog is back", async () => {
    const { catalog, get } = await startLeaving();
    await get(latestPath);
    catalog.state = "gone";
    await get(latestPath);
    catalog.state = "there";
    catalog.publish("storm");
    const response = await get(latestPath);
    expect(response.headers.get("cache-status")).toBeNull();
    expect(await response.json()).toMatchObject({ sequence: 2 });
  });

  test("does not wait long for a catalog that was away a moment ago", async () => {
    const { catalog, get } = await startLeaving();
    await get(latestPath);
    catalog.state = "gone";
    await get(latestPath);
    catalog.state = "silent";
    const response = await get(latestPath);
    expect([response.status, response.headers.get("cache-status")]).toEqual([200, mark]);
  });

  test("waits for a healthy one as long as it takes", async () => {
    const { catalog, get } = await startLeaving();
    const first = await (await get(latestPath)).text();
    const { promise: slow, resolve } = Promise.withResolvers<undefined>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<undefined>();
    const read = catalog.findLatestRevision;
    catalog.findLatestRevision = async (eventId) => {
      ask(undefined);
      await slow;
      return read(eventId);
    };
    const answer = get(latestPath);
    await asked;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await vi.advanceTimersByTimeAsync(heldReadLimits.waitMs * 4);
    vi.useRealTimers();
    catalog.publish("storm");
    resolve(undefined);
    expect(await (await answer).text()).not.toBe(first);
  });

  test("other failures are not covered up", async () => {
    const { catalog, get } = await startLeaving();
    await get(latestPath);
    catalog.findLatestRevision = () => Promise.reject(new AppError("storage-failed", "The disk is full."));
    expect((await get(latestPath)).status).toBe(502);
  });
});
