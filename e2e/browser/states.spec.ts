// Messages of the viewer if something is missing: damaged data, no connection. The last good picture stays.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { noEcho, observedAt, type KnownFile } from "../support/known-storm.ts";
import type { Station } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";

async function ingestWindows(station: Station, count: number): Promise<void> {
  const files = Array.from({ length: count }, (_, window): KnownFile => ({
    product: "mrms-reflectivity",
    observedAt: observedAt(window),
    quadrants: { northWest: 20 + window * 5, northEast: 30, southWest: 40, southEast: noEcho },
  }));
  await station.ingestKnown("storm", files);
}

test("a missing frame is reported as failed, and the other revisions still step @core", async ({
  page,
  viewer,
  station,
}) => {
  await ingestWindows(station, 2);
  await station.start();
  const history = (await (await fetch(`${station.origin}/v1/storm-events/storm/revisions`)).json()) as {
    frames: { layers: { imageUrl: string }[] }[];
  };
  const frameId = /([0-9a-f]{64})\.png$/.exec(history.frames[1]!.layers[0]!.imageUrl)![1]!;
  const frames = await station.framesFolder();
  const removed = readdirSync(frames, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes(frameId),
  );
  expect(removed).toHaveLength(1);
  rmSync(join(frames, removed[0]!));

  await page.goto(station.origin);
  await expect(page.getByText(/failed to load/i).first()).toBeVisible({ timeout: 30_000 });
  await viewer.expectSelected(2);
  await expect(viewer.map).not.toHaveAttribute("data-sequence");
  await viewer.button("Previous revision").click();
  await viewer.expectDrawn(1);
});

test("when the service stops the picture stays and the status says so @core", async ({
  page,
  viewer,
  station,
}) => {
  await ingestWindows(station, 2);
  await station.start();
  await page.goto(station.origin);
  await viewer.expectDrawn(2);
  await station.stop();
  await expect(
    page
      .getByRole("status")
      .filter({ hasText: /offline|reconnecting/i })
      .first(),
  ).toBeVisible({
    timeout: 30_000,
  });
  await viewer.expectDrawn(2);
  await viewer.expectSelected(2);
});
