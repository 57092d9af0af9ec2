// The briefings folder as an origin, through a running gateway: what it serves, and paths that lead out of it.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { agents, head, startTestGateway, statusOf, type TestGateway } from "../support/test-gateway.ts";

const page =
  '<!doctype html><head><title>Revision</title><link rel="canonical" href="/storm/"></head><body>r</body>';
const picture = Buffer.alloc(300_000, 7);

let folder: string;
let gateway: TestGateway;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "folder-origin-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const root = join(folder, "briefings");
  mkdirSync(join(root, "storm", "r", "1"), { recursive: true });
  mkdirSync(join(root, ".git"));
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(root, ".git", "config"), "secret");
  writeFileSync(join(root, "storm", "index.html"), "<!doctype html><title>Storm</title>");
  writeFileSync(join(root, "storm", "r", "1", "index.html"), page);
  writeFileSync(join(root, "storm", "r", "1", "mesh.png"), picture);
  writeFileSync(join(root, "storm", "a b.constructor"), "x");
  writeFileSync(join(root, "empty.txt"), "");
  symlinkSync(join(folder, "secret.txt"), join(root, "storm", "link.txt"));
  symlinkSync(folder, join(root, "storm", "out"));
  symlinkSync(join(root, "empty.txt"), join(root, "storm", "inside.txt"));
  gateway = await startTestGateway({ kind: "briefings", directory: root });
});

const get = (path: string, ...headers: readonly string[]): Promise<string> =>
  gateway.send(head(`GET ${path}`, ...headers));
const valueIn = (answer: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, "im").exec(answer)?.[1]?.trim();

describe("a file", () => {
  test("is served with its type, length and validators", async () => {
    const answer = await get("/storm/r/1/?q");
    expect(statusOf(answer)).toBe(200);
    expect(answer.endsWith(`\r\n\r\n${page}`)).toBe(true);
    expect(valueIn(answer, "Content-Type")).toBe("text/html; charset=utf-8");
    expect(valueIn(answer, "ETag")).toMatch(/^"[^"]+"$/);
    expect(answer).not.toContain(folder);
    const still = await get("/storm/r/1/mesh.png");
    expect(still.length - still.indexOf("\r\n\r\n") - 4).toBe(picture.byteLength);
    expect(valueIn(still, "Content-Type")).toBe("image/png");
    expect(valueIn(await get("/storm/a%20b.constructor"), "Content-Type")).toBe("application/octet-stream");
    expect(statusOf(await get("/empty.txt"))).toBe(200);
    expect(statusOf(await get("/storm/inside.txt"))).toBe(200);
  });

  test("to HEAD has only its headers", async () => {
    const answer = await gateway.send(head("HEAD /storm/r/1/mesh.png"));
    expect(valueIn(answer, "Content-Length")).toBe("300000");
    expect(answer).toMatch(/\r\n\r\n$/);
  });

  test("is not sent again to a visitor that has it, by tag or by time", async () => {
    const first = await get("/storm/");
    const etag = valueIn(first, "ETag")!;
    const modified = valueIn(first, "Last-Modified")!;
    const same = await get("/storm/", `If-None-Match: "x", W/${etag}`);
    expect([statusOf(same), valueIn(same, "ETag")]).toEqual([304, etag]);
    expect(statusOf(await get("/storm/", `If-Modified-Since: ${modified}`))).toBe(304);
    expect(statusOf(await get("/storm/", 'If-None-Match: "x"', `If-Modified-Since: ${modified}`))).toBe(200);
    expect(statusOf(await get("/storm/", "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"))).toBe(200);
    expect(statusOf(await get("/storm/", "If-Modified-Since: once"))).toBe(200);
  });

  test("of a revision redirects a training crawler to its event", async () => {
    const answer = await get("/storm/r/1/", `User-Agent: ${agents.train}`);
    expect([statusOf(answer), valueIn(answer, "Location")]).toEqual([301, "https://brief.example/storm/"]);
  });
});

test("a folder without a slash is redirected to its address", async () => {
  const answer = await get("/storm/r/1?q=1");
  expect([statusOf(answer), valueIn(answer, "Location")]).toEqual([308, "/storm/r/1/?q=1"]);
});

test.each([
  ...[
    "/",
    "/none",
    "/storm/r/",
    "/storm/index.html/",
    "/storm/none/",
    "/.git/config",
    "/.git/",
    "/storm/.hidden",
  ],
  ...["/../secret.txt", "/%2e%2e/secret.txt", "/storm/..%2f..%2fsecret.txt", "/storm/..%5c..%5csecret.txt"],
  ...[
    "/storm%2findex.html",
    "/storm/%00",
    "/storm/a%00.html",
    "/storm/%",
    "/storm/%ff",
    "//storm/",
    "/storm//",
  ],
  ...[
    "/storm/link.txt",
    "/storm/out/secret.txt",
    "/storm/out/",
    "/storm/out",
    "/C:/x",
    `/${"x".repeat(300)}`,
  ],
])("%s is not a page", async (path) => {
  const answer = await get(path);
  expect(statusOf(answer)).toBe(404);
  expect(answer).toMatch(/\r\n\r\nThere is no such page\.\n$/);
  expect(answer).not.toMatch(/secret/);
});

test("other methods than GET and HEAD are refused", async () => {
  const answer = await gateway.send(`${head("PUT /storm/", "Content-Length: 1")}x`);
  expect([statusOf(answer), valueIn(answer, "Allow")]).toEqual([405, "GET, HEAD"]);
});

test("a folder that does not exist has no pages", async () => {
  const early = await startTestGateway({ kind: "briefings", directory: join(folder, "later") });
  expect(statusOf(await early.send(head("GET /")))).toBe(404);
});
