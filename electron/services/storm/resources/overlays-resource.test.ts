// Overlays over HTTP: lists with hashes, bytes that never change at their address, and what a public service lacks.
import { expect, test } from "vitest";
import { KeptOverlayList, OverlayList } from "../../../../shared/contract/overlays.ts";
import { overlayDraftOf } from "../../../catalog/support/drafts.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { startTestService } from "../support/test-service.ts";

const bytes = Buffer.from("<script>alert(1)</script>");
const sha256 = sha256Of(bytes);
const kept = { ...overlayDraftOf("storm").facts, sha256, byteLength: bytes.byteLength };
const file = { name: "a.txt", sha256, byteLength: 25, readAt: "2026-05-20T21:00:00Z", modifiedAt: null };
const list: OverlayList = {
  overlays: [
    {
      ...{ id: "a1", name: "Spotters", kind: "address", place: "example.org", state: "failing" },
      ...{ lastReadAt: "2026-05-20T21:00:00Z", failingSince: "2026-05-20T21:02:00Z", nextAt: null },
      ...{ problem: "The server is not available now.", files: [file] },
    },
  ],
};
const held = { list: () => list, find: (wanted: string) => (wanted === sha256 ? bytes : undefined) };

async function start(isPublic = false) {
  const service = await startTestService({ overlays: held, isPublic });
  service.catalog.addEvent({ id: "storm" });
  service.catalog.addEvent({ id: "calm" });
  service.catalog.addOverlay("storm", kept, bytes);
  return service;
}

test("the overlays of an event are listed with their facts, and revalidated", async () => {
  const service = await start();
  const response = await service.get("/app/events/storm/overlays");
  expect(KeptOverlayList.parse(await response.json())).toEqual({ overlays: [kept] });
  const etag = response.headers.get("etag")!;
  expect((await service.get("/app/events/storm/overlays", { "if-none-match": etag })).status).toBe(304);
  expect(await (await service.get("/app/events/calm/overlays")).json()).toEqual({ overlays: [] });
  expect((await service.get("/app/events/unknown/overlays")).status).toBe(404);
});

test.each([`/app/events/storm/overlays/${sha256}`, `/app/overlays/${sha256}`])(
  "%s has the bytes for good, and no browser takes them for a page",
  async (path) => {
    const service = await start();
    const response = await service.get(path);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      ...{ "content-type": "application/octet-stream", "x-content-type-options": "nosniff" },
      ...{ etag: `"${sha256}"`, "cache-control": "public, max-age=31536000, immutable" },
      "content-security-policy": expect.stringContaining("default-src 'none'") as string,
    });
    expect((await service.get(path, { "if-none-match": `"${sha256}"` })).status).toBe(304);
    expect((await service.get(path.replace(sha256, "0".repeat(64)))).status).toBe(404);
    expect((await service.get(path.replace(sha256, "..%2f..%2fsettings"))).status).toBe(404);
  },
);

test("bytes that are not those of their hash are 502 and never sent", async () => {
  const service = await start();
  service.catalog.addOverlay("calm", kept, Buffer.from("other"));
  const response = await service.get(`/app/events/calm/overlays/${sha256}`);
  expect(response.status).toBe(502);
  expect(await response.text()).not.toContain("other");
});

test("the addresses and folders of a person are listed with their health", async () => {
  const service = await start();
  const response = await service.get("/app/overlays");
  expect(OverlayList.parse(await response.json())).toEqual(list);
  expect(response.headers.get("etag")).toMatch(/^W\//);
});

test("a public service has the overlays of events, and none of a person", async () => {
  const service = await start(true);
  expect((await service.get("/app/events/storm/overlays")).status).toBe(200);
  expect((await service.get(`/app/events/storm/overlays/${sha256}`)).status).toBe(200);
  expect((await service.get("/app/overlays")).status).toBe(404);
  expect((await service.get(`/app/overlays/${sha256}`)).status).toBe(404);
});
