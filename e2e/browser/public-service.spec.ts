// Services in the viewer that it may not act on: a team's reader, and a public one, which has no stream either, so the
// page asks for news by itself, and says so.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { test } from "../support/viewer-test.ts";

/** Buttons of the whole screen that act, or lead to what acts. */
const acting = ["Add events", "Replay, archive…", "Share", "Go live"];

test("the page of a team's reader offers nothing that is done elsewhere @core", async ({
  page,
  viewer,
  station,
}) => {
  const folder = makeTemporaryDirectory("reader");
  const config = join(folder, "reader.json");
  writeFileSync(config, JSON.stringify({ roles: ["reader"] }));
  await station.ingestKnown("storm", [
    {
      product: "mrms-mesh",
      observedAt: "2024-05-20T21:00:00Z",
      quadrants: { northWest: 30, northEast: 40, southWest: 50, southEast: 60 },
    },
  ]);
  await station.start(["--config", config]);
  await page.goto(station.origin);
  await viewer.expectDrawn(1);
  await expect(page.getByText("Read-only", { exact: true })).toHaveAttribute("title", /command line\.$/);
  for (const name of acting) await expect(viewer.button(name)).toHaveCount(0);
  removeDirectory(folder);
});

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
  for (const name of acting) await expect(viewer.button(name)).toHaveCount(0);
  const count = (path: string): number => asked.filter((text) => text === path).length;
  expect(count("GET /app/events/conus/latest")).toBeGreaterThan(1);
  expect(count("GET /app/events/conus/revisions")).toBe(2);
  expect(count("GET /app/feeds")).toBe(0);
  expect(asked.filter((text) => !text.startsWith("GET "))).toEqual([]);
  removeDirectory(folder);
});
