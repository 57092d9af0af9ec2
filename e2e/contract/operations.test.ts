// The walk through the storm data read service's specification: every operation, status, header and limit, against a
// running host over its real catalog.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DataServiceStatus } from "../../shared/contract/data-status.ts";
import { MrmsHistory } from "../../shared/contract/history.ts";
import { MrmsManifest } from "../../shared/contract/manifest.ts";
import { toPath, type OperationId } from "../../shared/contract/operations.ts";
import { PlaceSearchResponse } from "../../shared/contract/place.ts";
import { StormEventList } from "../../shared/contract/storm-event.ts";
import type { RevisionRecord } from "../../electron/catalog/catalog.ts";
import { ContractHost, observedAt } from "./contract-host.ts";
import { expectJson, expectProblem, expectStandingHeaders, expectText } from "./expectations.ts";

let host: ContractHost;
const revisions: RevisionRecord[] = [];

/** 30 revisions of `storm`: both products every two minutes; the 29th corrects the window of the first. */
beforeAll(async () => {
  host = await ContractHost.start();
  for (let index = 0; index < 28; index += 1) {
    const minutes = 2 * index;
    revisions.push(
      await host.publish(
        "storm",
        { minutes, productId: "mrms-mesh" },
        { minutes, productId: "mrms-reflectivity" },
      ),
    );
  }
  revisions.push(await host.publish("storm", { minutes: 0, content: "corrected" }));
  revisions.push(await host.publish("storm", { minutes: 56 }));
  await host.register("registered");
});
afterAll(() => host.stop());

const path = (id: OperationId, values: Record<string, string> = {}): string =>
  toPath(id, { eventId: "storm", revisionId: revisions[0]!.revisionId, ...values });

async function latestLayers(): Promise<MrmsManifest["layers"]> {
  return MrmsManifest.parse(await (await host.get(path("getLatestManifest"))).json()).layers;
}

describe("GET /v1/places/search", () => {
  const search = (q: string): Promise<Response> =>
    host.get(`${path("searchPlaces")}?q=${encodeURIComponent(q)}`);

  test("finds places, best first, under the provider's fixed name", async () => {
    const found = await expectJson(await search("norman ok"), 200, PlaceSearchResponse);
    expect(found.provider).toBe("place-data");
    expect(found.attribution).toContain("GeoNames");
    expect(found.results[0]).toMatchObject({ label: "Norman", kind: "city", provider: "place-data" });
    expect(found.results.length).toBeLessThanOrEqual(10);
  });

  test("no result is an empty list", async () => {
    expect((await expectJson(await search("qqqqqq"), 200, PlaceSearchResponse)).results).toEqual([]);
  });

  test("q has 2 to 160 code points, blanks included", async () => {
    for (const q of ["no", "🌪🌪", "  ", "x".repeat(160), "🌪".repeat(160), "\u0000\u0000"]) {
      await expectJson(await search(q), 200, PlaceSearchResponse);
    }
    for (const q of ["", "n", "🌪", "x".repeat(161), "🌪".repeat(161)])
      await expectProblem(await search(q), 400);
  });

  test("q is required, once, and well-formed; other parameters are ignored", async () => {
    for (const query of [
      "",
      "?",
      "?q",
      "?Q=norman",
      "?q=norman&q=norman",
      "?q=%ff%fe",
      "?q=%E0%A4%A",
      "?q=%",
    ]) {
      await expectProblem(await host.get(path("searchPlaces") + query), 400);
    }
    for (const query of ["?q=norman&limit=x", "?a&a&q=norman", "?%71=norman", "?q=norman&%zz=%zz"]) {
      await expectJson(await host.get(path("searchPlaces") + query), 200, PlaceSearchResponse);
    }
  });
});

describe("GET /v1/storm-events", () => {
  test("lists every field of an event, and bounds only where there is data", async () => {
    const { events, generatedAt } = await expectJson(
      await host.get(path("listStormEvents")),
      200,
      StormEventList,
    );
    expect(Math.abs(Date.parse(generatedAt) - Date.now())).toBeLessThan(60_000);
    const storm = events.find(({ id }) => id === "storm");
    expect(storm).toMatchObject({
      kind: "historical-event",
      retentionClass: "benchmark",
      bounds: [-99.5, 34, -96, 37.25],
      currentRevisionId: revisions.at(-1)?.revisionId,
    });
    expect(events.find(({ id }) => id === "registered")).toMatchObject({
      status: "active",
      bounds: null,
      currentRevisionId: null,
    });
  });

  test("at most 100, by endedAt or startedAt, newest first", async () => {
    for (let index = 0; index < 105; index += 1) {
      await host.publish(`crowd-${index}`, { minutes: 200 + ((index * 37) % 105) });
    }
    const { events } = await expectJson(await host.get(path("listStormEvents")), 200, StormEventList);
    expect(events).toHaveLength(100);
    const ends = events.map(({ endedAt, startedAt }) => Date.parse(endedAt ?? startedAt ?? ""));
    expect(ends).toEqual([...ends].sort((a, b) => b - a));
    expect(ends[0]).toBe(Date.parse(observedAt(304)));
  });

  test("an unchanged list is 304 for its tag; a publication changes it", async () => {
    const first = await host.get(path("listStormEvents"));
    const etag = first.headers.get("etag")!;
    expect((await host.get(path("listStormEvents"), { "if-none-match": etag })).status).toBe(304);
    await host.publish("late", { minutes: 1_000 });
    const after = await host.get(path("listStormEvents"), { "if-none-match": etag });
    expect(after.status).toBe(200);
    expect(after.headers.get("etag")).not.toBe(etag);
  });
});

describe("GET /v1/storm-events/{eventId}/revisions", () => {
  const list = async (query = "", eventId = "storm"): Promise<MrmsHistory> =>
    expectJson(await host.get(path("listRevisions", { eventId }) + query), 200, MrmsHistory);

  test("lists the newest 24 by default, in ascending sequence, with a late correction in its place", async () => {
    const history = await list();
    expect(history.frames.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 24 }, (_, i) => 7 + i),
    );
    expect(history).toMatchObject({
      eventId: "storm",
      eventLabel: "Event storm",
      latestSequence: 30,
      retentionClass: "benchmark",
    });
    const [correction, newest] = history.frames.slice(-2);
    expect(Date.parse(correction!.observedAt)).toBe(Date.parse(observedAt(0)));
    expect(Date.parse(newest!.observedAt)).toBe(Date.parse(observedAt(56)));
  });

  test("limit is 2 to 360 and a whole number", async () => {
    expect((await list("?limit=2")).frames.map(({ sequence }) => sequence)).toEqual([29, 30]);
    expect((await list("?limit=360")).frames).toHaveLength(30);
    for (const limit of ["1", "0", "-1", "361", "1000", "", "x", "2.0", "1e1", "%2B24", "24%00"]) {
      await expectProblem(await host.get(`${path("listRevisions")}?limit=${limit}`), 400);
    }
    await expectProblem(await host.get(`${path("listRevisions")}?limit=2&limit=2`), 400);
    expect((await list("?limit=2&offset=9&offset=9")).frames).toHaveLength(2);
  });

  test("each frame has the layers of its revision's manifest", async () => {
    const { frames } = await list("?limit=360");
    for (const frame of [frames[0]!, frames[29]!]) {
      const response = await host.get(path("getRevisionManifest", { revisionId: frame.revisionId! }));
      expect(frame.layers).toEqual(MrmsManifest.parse(await response.json()).layers);
    }
  });

  test("a registered event has an empty list, an unknown one gets 404, a malformed id 400", async () => {
    const empty = await list("", "registered");
    expect(empty.frames).toEqual([]);
    expect(empty).not.toHaveProperty("latestSequence");
    await expectProblem(await host.get(path("listRevisions", { eventId: "unknown" })), 404);
    for (const eventId of [
      "Storm",
      "-storm",
      "storm-",
      "st_orm",
      "x".repeat(65),
      "%20",
      "%00",
      "..%2f",
      "%zz",
    ]) {
      await expectProblem(await host.get(`/v1/storm-events/${eventId}/revisions`), 400);
    }
    await expectProblem(await host.get(path("listRevisions", { eventId: "x".repeat(64) })), 404);
  });
});

describe("GET manifests", () => {
  test("the latest manifest is the stored one of the highest sequence, under its hash", async () => {
    const response = await host.get(path("getLatestManifest"));
    const bytes = Buffer.from(await response.clone().arrayBuffer());
    const manifest = await expectJson(response, 200, MrmsManifest);
    expect(manifest).toMatchObject({
      eventId: "storm",
      sequence: 30,
      revisionId: revisions.at(-1)?.revisionId,
    });
    expect(response.headers.get("etag")).toBe(`"${createHash("sha256").update(bytes).digest("hex")}"`);
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(bytes).toEqual(Buffer.from(revisions.at(-1)!.manifest));
  });

  test("a revision's manifest never changes and may be cached forever", async () => {
    const response = await host.get(path("getRevisionManifest"));
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await expectJson(response, 200, MrmsManifest)).sequence).toBe(1);
  });

  test.each<[OperationId]>([["getLatestManifest"], ["getRevisionManifest"]])(
    "%s answers 304 to its own tag in every form, and 200 to others",
    async (id) => {
      const { headers } = await host.get(path(id));
      const etag = headers.get("etag")!;
      for (const value of [
        etag,
        `W/${etag}`,
        `"x", ${etag}`,
        `"x",W/${etag},"y"`,
        "*",
        `junk ${etag}`,
        `"", ${etag}`,
      ]) {
        const response = await host.get(path(id), { "if-none-match": value });
        expect(response.status, value).toBe(304);
        expect(await response.text()).toBe("");
        expect(response.headers.get("etag")).toBe(etag);
        expect(response.headers.get("cache-control")).toBe(headers.get("cache-control"));
        expect(response.headers.get("content-type")).toBeNull();
        expectStandingHeaders(response.headers);
      }
      for (const value of ['"x"', etag.slice(1, -1), etag.toUpperCase(), '"', "W/", "", "****", '"*"']) {
        expect((await host.get(path(id), { "if-none-match": value })).status, value).toBe(200);
      }
    },
  );

  test("unknown events and revisions and malformed ids get 404", async () => {
    const absent = [
      path("getLatestManifest", { eventId: "unknown" }),
      path("getLatestManifest", { eventId: "registered" }),
      path("getRevisionManifest", { revisionId: "unknown" }),
      path("getRevisionManifest", { eventId: "late" }),
      path("getRevisionManifest", { revisionId: "not_an_id" }),
      path("getRevisionManifest", { revisionId: "x".repeat(3_000) }),
      "/v1/storm-events/Storm/manifest",
      "/v1/storm-events/%00/manifest",
      "/v1/storm-events/..%2fstorm/manifest",
      "/v1/storm-events//manifest",
      "/v1/storm-events/storm/revisions//manifest",
    ];
    for (const each of absent) await expectProblem(await host.get(each, { "if-none-match": "*" }), 404);
  });

  test("a damaged manifest gets 502 and is not listed", async () => {
    for (const [index, bytes] of ["{", '{"schemaVersion":1}', "null"].entries()) {
      const revision = await host.publish(`damaged-${index}`, { minutes: 0 });
      const later = await host.publish(`damaged-${index}`, { minutes: 2 });
      host.damageManifest(revision, bytes, index > 0);
      const values = { eventId: revision.eventId, revisionId: revision.revisionId };
      await expectProblem(await host.get(path("getRevisionManifest", values)), 502);
      await expectJson(await host.get(path("getLatestManifest", values)), 200, MrmsManifest);
      const history = await expectJson(await host.get(path("listRevisions", values)), 200, MrmsHistory);
      expect(history.frames.map(({ revisionId }) => revisionId)).toEqual([later.revisionId]);
      host.damageManifest(later, bytes, true);
      await expectProblem(await host.get(path("getLatestManifest", values)), 502);
    }
    expect(host.host.stderr()).toContain("manifest is damaged");
  });
});

describe("GET frames", () => {
  test("every image of a manifest exists as an immutable PNG that matches its name", async () => {
    const { frames } = MrmsHistory.parse(await (await host.get(`${path("listRevisions")}?limit=3`)).json());
    for (const { imageUrl } of frames.flatMap(({ layers }) => layers)) {
      expect(imageUrl).toMatch(
        /^\/v1\/storm-events\/storm\/frames\/mrms-(mesh|reflectivity)\/[A-Za-z0-9-]+\.png$/,
      );
      const response = await host.get(imageUrl);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("image/png");
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expectStandingHeaders(response.headers);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(imageUrl).toContain(createHash("sha256").update(bytes).digest("hex"));
      const etag = response.headers.get("etag")!;
      expect((await host.get(imageUrl, { "if-none-match": `W/${etag}` })).status).toBe(304);
    }
  });

  test("another event's, another product's, unknown and malformed frames are 404", async () => {
    const [{ imageUrl }] = (await latestLayers()) as [MrmsManifest["layers"][0]];
    const frameId = imageUrl.split("/").at(-1)!.replace(".png", "");
    const absent = [
      imageUrl.replace("/storm/", "/late/"),
      imageUrl.replace("mrms-mesh", "mrms-reflectivity"),
      imageUrl.replace("mrms-mesh", "mrms-precip"),
      imageUrl.replace(frameId, "0".repeat(64)),
      imageUrl.replace(frameId, "x_y"),
      imageUrl.replace(".png", ".PNG"),
      imageUrl.replace(".png", ""),
      imageUrl.replace(".png", "xpng"),
      imageUrl.replace(frameId, "..%2f..%2fcatalog.sqlite"),
      imageUrl.replace(frameId, ""),
      imageUrl.replace("/storm/", "/Storm/"),
    ];
    for (const each of absent) await expectProblem(await host.get(each, { "if-none-match": "*" }), 404);
  });

  test("a damaged or missing frame gets 404 and a log line", async () => {
    const revision = await host.publish("broken", { minutes: 0, content: "to be broken" });
    const response = await host.get(
      path("getRevisionManifest", { eventId: "broken", revisionId: revision.revisionId }),
    );
    const [{ imageUrl }] = MrmsManifest.parse(await response.json()).layers as [MrmsManifest["layers"][0]];
    expect((await host.get(imageUrl)).status).toBe(200);
    writeFileSync(host.frameFile(imageUrl.split("/").at(-1)!.replace(".png", "")), "another picture");
    await expectProblem(await host.get(imageUrl), 404);
    expect(host.host.stderr()).toContain("frame is damaged");
  });
});

describe("GET stream without a socket", () => {
  test("426, in plain text, naming the protocol", async () => {
    const response = await host.get(path("openStream"));
    await expectText(response, 426);
    expect(response.headers.get("upgrade")).toBe("websocket");
  });

  test("a malformed id gets 400 in plain text before the missing upgrade", async () => {
    for (const eventId of ["Storm", "x".repeat(65), "%00", "%zz", "a%2fb"]) {
      await expectText(await host.get(`/v1/storm-events/${eventId}/stream`), 400);
    }
  });
});

describe("GET /v1/data/status", () => {
  test("reports the newest asset of each product, with nulls for unknown fields", async () => {
    const read = async (): Promise<DataServiceStatus> =>
      expectJson(await host.get(path("getDataStatus")), 200, DataServiceStatus);
    expect(await read()).toMatchObject({ service: "storm-data", products: [] });
    const asset = {
      eventId: "storm",
      productId: "mrms-mesh",
      observedAt: undefined,
      byteLength: 1,
      sha256: undefined,
      lastModifiedAt: undefined,
    } as const;
    const [first] = await host.catalog.discoverAssets([{ ...asset, locator: "/somewhere/old.grib2" }]);
    await host.catalog.updateAsset(first!, { status: "complete", observedAt: observedAt(0) });
    expect((await read()).products).toMatchObject([
      { product_id: "mrms-mesh", status: "complete", error_message: null },
    ]);
    const [second] = await host.catalog.discoverAssets([{ ...asset, locator: "/somewhere/new.grib2" }]);
    expect((await read()).products).toEqual([
      {
        product_id: "mrms-mesh",
        status: "discovered",
        observed_at: null,
        completed_at: null,
        error_message: null,
      },
    ]);
    for (const status of ["queued", "processing"] as const) {
      await host.catalog.updateAsset(second!, { status });
      expect((await read()).products[0]?.status).toBe(status);
    }
    const errorMessage = "/somewhere/new.grib2 is cut short.";
    await host.catalog.updateAsset(second!, { status: "failed", errorMessage });
    expect((await read()).products[0]).toMatchObject({
      status: "failed",
      error_message: "new.grib2 is cut short.",
    });
  });
});
