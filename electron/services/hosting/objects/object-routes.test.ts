import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiReply, ApiRequest } from "../../api/api-part.ts";
import { isArtifactsError } from "../artifacts-error.ts";
import type { RepositoryRecord } from "../hosting-records.ts";
import { checkReady } from "../repositories.ts";
import { createObjectReader } from "./hosted-object-reader.ts";
import { sniffType, toSafeFilename } from "./object-replies.ts";
import { createObjectRoutes } from "./object-routes.ts";
import {
  gitMissing,
  openWorkshop,
  type SampleRepository,
  type Workshop,
} from "../support/sample-repository.ts";

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
const page = "<!doctype html><script>alert(1)</script>";

describe.skipIf(gitMissing)("object routes (needs Git)", () => {
  let workshop: Workshop;
  let sample: SampleRepository;
  let tip: string;
  beforeAll(async () => {
    workshop = await openWorkshop();
    sample = await workshop.createRepository("sample");
    tip = await sample.commit(
      "refs/heads/main",
      { "pack.json": "{}\n", "f/a.png": png, "x.html": page, "x.svg": "<svg onload='x()'/>", bin: "\u0001" },
      "One\u001b[31m\r\nX-Injected: 1\n",
    );
    await sample.git(["update-ref", "refs/heads/feature/a", tip]);
  });
  afterAll(() => workshop.close());

  const record: RepositoryRecord = {
    ...{ id: "a".repeat(16), namespace: "events", name: "sample", description: null, defaultBranch: "main" },
    ...{ createdAt: "", updatedAt: "", lastPushAt: null, source: null, readOnly: false, status: "ready" },
  };
  async function get(
    path: string,
    { params, ...rest }: Partial<ApiRequest> = {},
    status: RepositoryRecord["status"] = "ready",
  ): Promise<ApiReply> {
    const routes = createObjectRoutes(
      {
        get: (_, name) =>
          Promise.resolve(name === "sample" ? { ...record, status } : undefined).then(checkReady),
        directoryOf: () => sample.directory,
      },
      createObjectReader(workshop.runner),
    );
    const found = routes.find((route) => route.path.endsWith(`/repos/:name${path}`));
    return found!.handle({
      ...{ query: new URLSearchParams(), body: undefined, headers: {}, origin: "http://127.0.0.1:1" },
      signal: new AbortController().signal,
      ...rest,
      params: { account: "local", namespace: "events", name: "sample", ...params },
    });
  }
  const hashOf = (spec: string) => sample.git(["rev-parse", "--verify", spec]);
  const query = (values: Record<string, string>) => ({ query: new URLSearchParams(values) });
  const refused = (code: Parameters<typeof isArtifactsError>[1]) => (error: unknown) =>
    isArtifactsError(error, code);

  test("a file is sent as its bytes, with its hash as entity tag", async () => {
    const hash = await hashOf("main:pack.json");
    const reply = await get("/file", query({ ref: "main", path: "pack.json" }));
    expect(reply).toMatchObject({
      raw: Buffer.from("{}\n"),
      headers: {
        "content-type": "application/octet-stream",
        "x-content-type-options": "nosniff",
        etag: `"${hash}"`,
      },
    });
  });

  test.each([
    [{ ref: "main", path: "../x" }, "NOT_FOUND"],
    [{ ref: "main", path: "f" }, "NOT_FOUND"],
    [{ ref: "--output=x", path: "pack.json" }, "NOT_FOUND"],
    [{ ref: "main" }, "INVALID_INPUT"],
  ] as const)("a file asked for by %j is %s", async (values, code) => {
    await expect(get("/file", query(values))).rejects.toSatisfy(refused(code));
  });

  test("blobs, trees and commits by hash are immutable, in private caches only", async () => {
    const kept = { "cache-control": "private, max-age=31536000, immutable" };
    const blob = await hashOf("main:pack.json");
    expect(await get("/blob/:hash", { params: { hash: blob } })).toMatchObject({
      raw: Buffer.from("{}\n"),
      headers: { ...kept, etag: `"${blob}"`, "content-type": "application/octet-stream" },
    });
    const tree = await hashOf("main^{tree}");
    expect(await get("/tree/:hash", { params: { hash: tree } })).toMatchObject({
      headers: kept,
      result: {
        hash: tree,
        entries: expect.arrayContaining([
          { mode: "100644", type: "blob", hash: blob, name: "pack.json", size: 3 },
        ]) as unknown,
      },
    });
    const commit = await get("/commit/:hash", { params: { hash: tip } });
    expect(commit).toMatchObject({
      headers: kept,
      result: {
        hash: tip,
        tree_hash: tree,
        parents: [],
        author: { name: "Ada" },
        message: "One\u001b[31m\r\nX-Injected: 1\n",
      },
    });
    expect(JSON.stringify(commit.headers)).not.toContain("Injected");
  });

  test("a missing hash is not found, an invalid one is refused", async () => {
    for (const path of ["/blob/:hash", "/tree/:hash", "/commit/:hash"]) {
      await expect(get(path, { params: { hash: "0".repeat(40) } })).rejects.toSatisfy(refused("NOT_FOUND"));
      await expect(get(path, { params: { hash: "BAD" } })).rejects.toSatisfy(refused("INVALID_INPUT"));
    }
  });

  test("the log returns a page; invalid ranges and unknown refs are refused", async () => {
    expect(await get("/log")).toMatchObject({ result: [{ hash: tip }], resultInfo: { count: 1, limit: 50 } });
    expect(await get("/log", query({ ref: "feature/a", limit: "1", offset: "1" }))).toMatchObject({
      result: [],
    });
    await expect(get("/log", query({ ref: "--output=x" }))).rejects.toSatisfy(refused("NOT_FOUND"));
    for (const values of [
      { limit: "0" },
      { limit: "1001" },
      { limit: "x" },
      { offset: "-1" },
      { limit: "1.5" },
    ]) {
      await expect(get("/log", query(values as Record<string, string>))).rejects.toSatisfy(
        refused("INVALID_INPUT"),
      );
    }
    const twice = { query: new URLSearchParams("ref=main&ref=feature/a") };
    await expect(get("/log", twice)).rejects.toSatisfy(refused("INVALID_INPUT"));
  });

  test.each([
    ["main/pack.json", "application/json", "inline"],
    ["feature/a/f/a.png", "image/png", "inline"],
    ["main/x.html", "text/plain; charset=utf-8", "inline"],
    ["main/x.svg", "text/plain; charset=utf-8", "inline"],
    ["main/bin", "application/octet-stream", "attachment"],
  ])("raw %s is sent as %s, %s, in a sandbox", async (refPath, type, disposition) => {
    const reply = await get("/raw/*", { params: { "*": refPath } });
    expect(reply.headers).toMatchObject({
      "content-type": type,
      "content-disposition": `${disposition}; filename="${refPath.split("/").at(-1)!}"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
  });

  test("an unknown and an unfinished repository return nothing", async () => {
    await expect(get("/log", { params: { name: "none" } })).rejects.toSatisfy(refused("NOT_FOUND"));
    await expect(get("/log", {}, "importing")).rejects.toSatisfy(refused("IMPORT_IN_PROGRESS"));
  });
});

describe("media types of pushed bytes", () => {
  test.each([
    ["{", "text/plain; charset=utf-8"],
    ["12", "text/plain; charset=utf-8"],
    ["", "text/plain; charset=utf-8"],
    [" [1]", "application/json"],
    ["a\0b", "application/octet-stream"],
    ["\u001b[31m", "application/octet-stream"],
    [`[${" ".repeat(1024 * 1024)}]`, "text/plain; charset=utf-8"],
  ])("%j", (text, type) => {
    expect(sniffType(Buffer.from(text))).toBe(type);
  });

  test("bytes that are not UTF-8 are a download", () => {
    expect(sniffType(Buffer.from([0x3c, 0xff]))).toBe("application/octet-stream");
  });

  test.each([
    ['a/b".png', "b_.png"],
    ["x\r\ny", "x__y"],
    ["..", "_"],
    ["a/", "file"],
    [`${"é".repeat(200)}.png`, `${"_".repeat(96)}.png`],
  ])("%j is saved as %j", (path, name) => {
    expect(toSafeFilename(path)).toBe(name);
  });
});
