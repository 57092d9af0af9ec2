// The `test` function of the browser specs, with two fixtures: the viewer's page, and a station with stores of its own.
import { test as base } from "@playwright/test";
import { observedAt, type Quadrants } from "./known-storm.ts";
import { Station } from "./station.ts";
import { ViewerPage } from "./viewer-page.ts";

interface ViewerFixtures {
  readonly viewer: ViewerPage;
  /** A station per test, with empty stores and no running host. */
  readonly station: Station;
}

export const test = base.extend<ViewerFixtures>({
  viewer: async ({ page }, use) => {
    await use(new ViewerPage(page));
  },
  // Playwright requires this pattern for a fixture that needs no other.
  station: async ({}, use) => {
    const station = new Station();
    await use(station);
    await station.close();
  },
});

/** Creates a station shared by all tests of the calling file, prepared before the first. */
export function shareStation(prepare: (station: Station) => Promise<void>): Station {
  const station = new Station();
  test.beforeAll(() => prepare(station));
  test.afterAll(() => station.close());
  return station;
}

/** Like {@link shareStation}, with one reflectivity revision of an event. */
export function shareStorm(quadrants: Quadrants): Station {
  return shareStation(async (station) => {
    await station.ingestKnown("storm", [
      { product: "mrms-reflectivity", observedAt: observedAt(0), quadrants },
    ]);
    await station.start();
  });
}
