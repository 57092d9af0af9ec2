// A public service in the viewer: no stream and no actions; the page asks for news by itself, and says so.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { test } from "../support/viewer-test.ts";

test("the page asks for news every 30 seconds, says so, and shows what is published", async ({
  page,
  viewer,
  station,
}) => {
  const folder = makeTemporaryDirectory("public");
  const config = join(folder, "public.json");
  writeFileSync(config, JSON.stringify({ public: true, roles: ["reader"] }));
  const observedAt = (windowsAgo: number): string =>
    new Date(Date.now() - windowsAgo * 120_000).toISOString();
  const publish = (windowsAgo: number): Promise<unknown> =>
    station.ingestKnown(
      "conus",
      [
        {
          product: "mrms-reflectivity",
          observedAt: observedAt(windowsAgo),
          quadrants: { northWest: 30, northEast: 40, southWest: 50, southEast: 60 },
        },
      ],
      ["--kind", "operational-feed"],
    );
  await publish(2);
  await station.start(["--config", config]);

  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  page.on("websocket", () => asked.push("a stream"));
  // The interval between two questions passes in a moment.
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window);
    const hurry = (callback: () => void, ms?: number): number =>
      wait(callback, ms !== undefined && ms >= 24_000 && ms <= 36_000 ? 250 : ms);
    window.setTimeout = hurry as typeof window.setTimeout;
  });
  await page.goto(station.origin);
  await viewer.expectDrawn(1);
  const status = page.getByRole("status", { name: "Connection and freshness" });
  await expect(status).toContainText("Updates every 30 seconds");
  await publish(1);
  await viewer.expectDrawn(2);

  await viewer.button("Sources and connection").click();
  await expect(page.getByText("it asks for new frames every 30 seconds")).toBeVisible();
  await expect(viewer.button("Go live")).toHaveCount(0);
  const count = (path: string): number => asked.filter((text) => text === path).length;
  expect(count("GET /app/events/conus/latest")).toBeGreaterThan(1);
  expect(count("GET /app/events/conus/revisions")).toBe(2);
  expect(count("GET /app/feeds")).toBe(0);
  expect(asked.filter((text) => !text.startsWith("GET "))).toEqual([]);
  removeDirectory(folder);
});
