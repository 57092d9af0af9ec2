// The served viewer: its page and files, nothing else, and the message if it is not built.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startTestService } from "../support/test-service.ts";

describe("viewer files", () => {
  async function makeViewer(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "echotop-viewer-"));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    await mkdir(join(directory, "viewer", "assets"), { recursive: true });
    await writeFile(join(directory, "secret.txt"), "secret");
    const viewer = join(directory, "viewer");
    await writeFile(join(viewer, "index.html"), "<!doctype html><head><title>Echotop</title></head>");
    await writeFile(join(viewer, "assets", "main-Ab3_d-9z.js"), "export {};");
    await writeFile(join(viewer, "assets", "plain.css"), "body {}");
    await symlink(join(directory, "secret.txt"), join(viewer, "link.txt"));
    return viewer;
  }

  test("the page revalidates, hashed assets are immutable, both have the page's policy", async () => {
    const { get } = await startTestService({ viewer: await makeViewer() });
    const page = await get("/");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect(await page.text()).toContain("Echotop");
    expect((await get("/?event=storm")).status).toBe(200);
    expect((await get("/index.html")).headers.get("etag")).toBe(page.headers.get("etag"));
    const script = await get("/assets/main-Ab3_d-9z.js");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await get("/assets/plain.css")).headers.get("cache-control")).toBe("no-cache");
    for (const { headers } of [page, script]) {
      const policy = headers.get("content-security-policy")!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
    const again = await get("/", { "if-none-match": page.headers.get("etag")! });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  });

  test("the page says if the service has no actions", async () => {
    const viewer = await makeViewer();
    const pageOf = async (token: string | undefined): Promise<string> => {
      const dispatch = () => Promise.reject(new Error("An action ran."));
      const { get } = await startTestService({ viewer, actions: { dispatch, token } });
      return (await get("/")).text();
    };
    expect(await pageOf(undefined)).toContain('<head><meta name="echotop-service" content="read-only" />');
    expect(await pageOf("token")).not.toContain("echotop-service");
  });

  test("serves nothing outside the folder, and no link out of it", async () => {
    const { get, port } = await startTestService({ viewer: await makeViewer() });
    for (const path of [
      "/link.txt",
      "/assets",
      "/assets/",
      "/..%2fsecret.txt",
      "/%2e%2e/secret.txt",
      "/assets/..%2f..%2fsecret.txt",
    ]) {
      expect((await get(path)).status).toBe(404);
    }
    const socket = connect(port, "127.0.0.1");
    socket.end(`GET /../secret.txt HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    expect(text).not.toContain("secret");
  });

  test.each([undefined, "/nowhere/at/all"])(
    "without a built viewer (%s) the root says so in a plain sentence",
    async (viewer) => {
      const { get } = await startTestService({ viewer });
      const response = await get("/");
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(await response.text()).toMatch(/^The viewer is not built\./);
    },
  );
});
