import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  listingXml,
  sendObject,
  sendXml,
  startBucketServer,
  type BucketServer,
} from "../../support/bucket-server.ts";
import { isAppError, type ErrorCode } from "../../../shared/app-error.ts";
import { createBucketSource } from "./bucket-source.ts";
import type { FeedSource, SourceAsset } from "./feed-source.ts";

const folder = "CONUS/MESH_00.50/20240520/";
const reflectivityFolder = "CONUS/MergedReflectivityQCComposite_00.50/20240520/";
const range = { fromMs: Date.parse("2024-05-20T20:00:00Z"), toMs: Date.parse("2024-05-20T22:00:00Z") };
const body = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 251));
const { signal } = new AbortController();

function key(time: string): string {
  return `${folder}MRMS_MESH_00.50_20240520-${time}.grib2.gz`;
}

async function open(): Promise<{ server: BucketServer; source: FeedSource }> {
  const server = await startBucketServer();
  onTestFinished(() => server.close());
  const limits = { answerMs: 5000, windowMs: 200, minWindowBytes: 1000 };
  return { server, source: createBucketSource({ name: "bucket", url: server.url, fetch, limits }) };
}

async function fetchOne(source: FeedSource, asset: SourceAsset, knownEtag?: string) {
  const directory = await mkdtemp(join(tmpdir(), "echotop-bucket-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, "staged");
  const downloaded = await source.download(asset, { file, knownEtag, signal });
  return { downloaded, bytes: await readFile(file) };
}

async function expectFailure(work: Promise<unknown>, code: ErrorCode, message: RegExp): Promise<void> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isAppError(error)) throw new Error("It did not fail as it should.", { cause: error });
  expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
}

describe("listing a bucket", () => {
  test("gives both products of every day of the range, newest first, page by page", async () => {
    const { server, source } = await open();
    server.pageSize = 2;
    for (const time of ["195959", "200000", "210039", "210239", "220000"]) server.put(key(time), body);
    server.put(
      `${reflectivityFolder}MRMS_MergedReflectivityQCComposite_00.50_20240520-210037.grib2.gz`,
      body,
    );
    server.put(folder, Buffer.alloc(0));
    const { assets, strange, failures } = await source.list(range, signal);
    expect(assets.map(({ productId, observedAt }) => [productId, observedAt.slice(11)])).toEqual([
      ["mrms-mesh", "22:00:00Z"],
      ["mrms-mesh", "21:02:39Z"],
      ["mrms-mesh", "21:00:39Z"],
      ["mrms-reflectivity", "21:00:37Z"],
      ["mrms-mesh", "20:00:00Z"],
    ]);
    expect([strange, failures]).toEqual([[], []]);
    expect(assets[1]).toMatchObject({
      locator: server.url + key("210239"),
      byteLength: body.length,
      etag: server.objects.get(key("210239"))!.etag,
      lastModifiedAt: "2024-05-20T21:02:00Z",
    });
    expect(server.requests[0]).toBe(`GET /?list-type=2&prefix=${reflectivityFolder}`);
  });

  test("lists the days on both sides of midnight", async () => {
    const { server, source } = await open();
    const midnight = Date.parse("2024-05-21T00:00:00Z");
    await source.list({ fromMs: midnight - 60_000, toMs: midnight + 60_000 }, signal);
    expect(server.requests.map((line) => line.slice(-9))).toEqual([
      "20240521/",
      "20240521/",
      "20240520/",
      "20240520/",
    ]);
  });

  test("reports keys that are not files of the product", async () => {
    const { server, source } = await open();
    server.put(key("210039"), body);
    server.put(`${folder}index.html`, body);
    server.put(`${folder}MRMS_MergedReflectivityQCComposite_00.50_20240520-210037.grib2.gz`, body);
    const { assets, strange } = await source.list(range, signal);
    expect(assets).toHaveLength(1);
    expect(strange.map(({ what }) => what.slice(folder.length, folder.length + 10))).toEqual([
      "MRMS_Merge",
      "index.html",
    ]);
  });

  test("an unusable listing of one product does not affect the other", async () => {
    const { server, source } = await open();
    server.put(key("210039"), body);
    server.misbehaviors.add((_request, response, url) => {
      if (url.searchParams.get("prefix") !== reflectivityFolder) return false;
      sendXml(response, "<html>");
      return true;
    });
    const { assets, failures } = await source.list(range, signal);
    expect(assets).toHaveLength(1);
    expect(failures).toEqual([
      { what: reflectivityFolder, message: expect.stringMatching(/not a bucket listing/) as string },
    ]);
  });

  test.each<[string, (response: ServerResponse, asked: number) => void, RegExp]>([
    ["is not XML", (response) => response.end("busy"), /not XML/],
    [
      "pages forever",
      (response, asked) => {
        sendXml(response, listingXml([], `page-${asked}`));
      },
      /does not end/,
    ],
    [
      "keeps growing",
      (response, asked) => {
        const bytes = Buffer.from("x");
        const object = { byteLength: 1, bytes, etag: "e", lastModifiedAt: "2024-05-20T21:02:00.000Z" };
        sendXml(response, listingXml([["x".repeat(3 << 20), object]], `page-${asked}`));
      },
      /too long/,
    ],
    [
      "repeats a token",
      (response) => {
        sendXml(response, listingXml([], "again"));
      },
      /repeats a page/,
    ],
    ["is an error", (response) => response.writeHead(500).end(), /status 500/],
    [
      "redirects",
      (response) => response.writeHead(301, { location: "http://127.0.0.1:1/" }).end(),
      /redirects to another address/,
    ],
    ["drips", (response) => response.write("<List"), /too slow/],
    ["is too long", (response) => response.end(" ".repeat(5 << 20)), /longer/],
  ])("a listing that %s fails with its cause", async (_what, answer, message) => {
    const { server, source } = await open();
    let asked = 0;
    server.misbehaviors.add((_request, response) => {
      asked += 1;
      answer(response, asked);
      return true;
    });
    await expectFailure(source.list(range, signal), "upstream-unavailable", message);
    expect(asked).toBeLessThan(500);
  });
});

describe("downloading a file", () => {
  async function openWithFile() {
    const { server, source } = await open();
    server.put(key("210039"), body);
    const [asset] = (await source.list(range, signal)).assets;
    server.requests.length = 0;
    return { server, source, asset: asset! };
  }

  test("returns its bytes and their hash", async () => {
    const { source, asset } = await openWithFile();
    const { downloaded, bytes } = await fetchOne(source, asset);
    expect(bytes.equals(body)).toBe(true);
    expect(downloaded).toMatchObject({
      byteLength: body.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  test("is not repeated for the stored version", async () => {
    const { server, source, asset } = await openWithFile();
    const { downloaded } = await fetchOne(source, asset, server.objects.get(key("210039"))!.etag);
    expect(downloaded).toBe("not-modified");
  });

  test("resumes by Range after a lost connection", async () => {
    const { server, source, asset } = await openWithFile();
    let cuts = 2;
    server.misbehaviors.add((request, response) => {
      if (cuts === 0) return false;
      cuts -= 1;
      const start = Number(/=(\d+)/.exec(request.headers.range ?? "")?.[1] ?? 0);
      response.writeHead(start > 0 ? 206 : 200, {
        etag: `"${asset.etag!}"`,
        "content-range": `bytes ${start}-${body.length - 1}/${body.length}`,
        "content-length": body.length - start,
      });
      response.write(body.subarray(start, start + 50_000), () => setTimeout(() => response.destroy(), 20));
      return true;
    });
    const { bytes } = await fetchOne(source, asset);
    expect(bytes.equals(body)).toBe(true);
    expect(server.requests.map((line) => /bytes=.*$/.exec(line)?.[0])).toEqual([
      undefined,
      "bytes=50000-",
      "bytes=100000-",
    ]);
  });

  test("starts over if the file was replaced meanwhile", async () => {
    const { server, source, asset } = await openWithFile();
    let cut = false;
    server.misbehaviors.add((_request, response) => {
      if (cut) return false;
      cut = true;
      response.writeHead(200, { etag: '"of-yesterday"', "content-length": body.length });
      response.write(Buffer.alloc(50_000, 1), () => setTimeout(() => response.destroy(), 20));
      return true;
    });
    const { bytes } = await fetchOne(source, asset);
    expect(bytes.equals(body)).toBe(true);
  });

  test.each<[string, (response: ServerResponse) => unknown, ErrorCode, RegExp]>([
    [
      "shorter than listed",
      (response) => response.end(body.subarray(0, 100)),
      "source-invalid",
      /incomplete \(100 of/,
    ],
    [
      "longer than listed",
      (response) => response.end(Buffer.concat([body, body])),
      "source-invalid",
      /larger than listed/,
    ],
    [
      "a page",
      (response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body),
      "source-invalid",
      /sent text\/html/,
    ],
    [
      "packed",
      (response) => response.writeHead(200, { "content-encoding": "br" }).end(body),
      "source-invalid",
      /encoding|incomplete/,
    ],
    ["gone", (response) => response.writeHead(404).end(), "upstream-unavailable", /Not found/],
    [
      "refused because it is busy",
      (response) => response.writeHead(503).end(),
      "upstream-rate-limited",
      /too busy/,
    ],
    [
      "redirected",
      (response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
      "upstream-unavailable",
      /redirects to another address/,
    ],
    ["a drip", (response) => response.write("GRIB"), "upstream-unavailable", /too slow/],
    [
      "another part than requested",
      (response) => response.writeHead(206, { "content-range": "bytes 5-9/10" }).end("xxxxx"),
      "upstream-unavailable",
      /status 206/,
    ],
  ])("a body that is %s fails with its cause", async (_what, answer, code, message) => {
    const { server, source, asset } = await openWithFile();
    server.misbehaviors.add((_request, response) => {
      answer(response);
      return true;
    });
    await expectFailure(fetchOne(source, asset), code, message);
    expect(server.requests.length).toBeLessThanOrEqual(5);
  });

  test("a steady trickle ends at the deadline", async () => {
    const { server, asset } = await openWithFile();
    const limits = { answerMs: 5000, windowMs: 5000, minWindowBytes: 1 };
    const source = createBucketSource({ name: "bucket", url: server.url, fetch, limits, deadlineMs: 100 });
    server.misbehaviors.add((_request, response) => {
      const trickle = setInterval(() => response.write("GRIB"), 5);
      response.on("close", () => {
        clearInterval(trickle);
      });
      return true;
    });
    await expectFailure(fetchOne(source, asset), "upstream-unavailable", /took longer than 0.1 seconds/);
    await expectFailure(source.list(range, signal), "upstream-unavailable", /took longer than/);
  });

  test("an abort ends a download at once", async () => {
    const { server, source, asset } = await openWithFile();
    const controller = new AbortController();
    const reason = new Error("closing");
    server.misbehaviors.add((request, response) => {
      sendObject(request, response, { ...server.objects.get(key("210039"))!, bytes: body.subarray(0, 10) });
      controller.abort(reason);
      return true;
    });
    const directory = await mkdtemp(join(tmpdir(), "echotop-bucket-"));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const work = source.download(asset, {
      file: join(directory, "x"),
      knownEtag: undefined,
      signal: controller.signal,
    });
    await expect(work).rejects.toBe(reason);
  });
});
