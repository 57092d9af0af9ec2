// An accessibility checker over the whole screen, with and without data, and the names of its controls.
import { expect } from "@playwright/test";
import { findViolations } from "../support/find-violations.ts";
import { noEcho, noHail, observedAt, type KnownFile } from "../support/known-storm.ts";
import { shareStation, test } from "../support/viewer-test.ts";

const stormy = shareStation(async (station) => {
  const files = [0, 1].flatMap((window): KnownFile[] => [
    {
      product: "mrms-reflectivity",
      observedAt: observedAt(window),
      quadrants: { northWest: 60, northEast: 30, southWest: 40, southEast: noEcho },
    },
    {
      product: "mrms-mesh",
      observedAt: observedAt(window, 39),
      quadrants: { northWest: 30, northEast: noHail, southWest: noHail, southEast: noHail },
    },
  ]);
  await station.ingestKnown("storm", files);
  await station.start();
});

test("the empty screen says so, and has no accessibility fault", async ({ page, viewer, station }) => {
  await station.start();
  await page.goto(station.origin);
  await expect(page.getByRole("heading", { name: "No storm events yet" })).toBeVisible();
  await expect(viewer.events.getByRole("option")).toHaveCount(0);
  await expect(viewer.map).not.toHaveAttribute("data-sequence");
  expect(await findViolations(page)).toEqual([]);
});

test("the screen with a storm has no accessibility fault @core", async ({ page, viewer }) => {
  await page.goto(stormy.origin);
  await viewer.expectDrawn(2);
  expect(await findViolations(page)).toEqual([]);
});

test("every control has the name that scripts and screen readers rely on @core", async ({ page, viewer }) => {
  await page.goto(stormy.origin);
  await viewer.expectDrawn(2);
  await expect(viewer.events.getByRole("option")).toHaveCount(1);
  for (const name of ["Play", "Previous revision", "Next revision", "Newest revision"]) {
    await expect(viewer.button(name)).toBeVisible();
  }
  for (const label of ["Composite reflectivity", "Hail size (MESH)"]) {
    await expect(page.getByRole("checkbox", { name: label, exact: true })).toBeChecked();
    await expect(page.getByRole("slider", { name: `Opacity of ${label}`, exact: true })).toBeVisible();
    await expect(page.getByRole("slider", { name: `Show ${label} from`, exact: true })).toBeVisible();
    const legend = page.getByRole("list", { name: `${label} legend`, exact: true });
    expect(await legend.getByRole("listitem").count()).toBeGreaterThan(5);
  }
  await expect(page.getByRole("combobox", { name: "Search places" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Colors", exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Storm map", exact: true })).toHaveCount(1);
  await expect(page.getByRole("status").first()).toBeVisible();
});
