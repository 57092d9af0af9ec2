// Official warnings and reports by the buttons of the form, from a local server in the public forms: no such service
// can be reached from a test machine. They stay with the event, also when the server is gone.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { actionToken, Desk } from "../support/desk.ts";
import { noEcho, observedAt } from "../support/known-storm.ts";
import { needsDirectory } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";

const day = observedAt(0).slice(0, 10);
const around = [
  [-98, 35],
  [-97, 35],
  [-97, 35.5],
  [-98, 35.5],
  [-98, 35],
];

function toCollection(geometry: object, properties: object): string {
  return JSON.stringify({
    type: "FeatureCollection",
    features: [{ type: "Feature", geometry, properties }],
  });
}

const answers: Readonly<Record<string, string>> = {
  "/geojson/sbw.geojson": toCollection(
    { type: "Polygon", coordinates: [around] },
    {
      ...{ phenomena: "SV", significance: "W", wfo: "OUN", eventid: 101, status: "NEW" },
      ...{ issue: `${day}T20:50:00Z`, polygon_begin: `${day}T20:50:00Z` },
      ...{ expire: `${day}T21:05:00Z`, polygon_end: `${day}T21:05:00Z` },
    },
  ),
  "/geojson/lsr.geojson": toCollection(
    { type: "Point", coordinates: [-97.5, 35.2] },
    {
      ...{
        valid: `${day}T21:08:00Z`,
        type: "H",
        typetext: "HAIL",
        magnitude: "1.75",
        magf: 1.75,
        unit: "INCH",
      },
      ...{ city: "Norman", county: "Cleveland", st: "OK", wfo: "OUN", source: "TRAINED SPOTTER", remark: "" },
    },
  ),
};

test("warnings and reports of the event's time are fetched by a button, and stay when the server is gone", async ({
  page,
  viewer,
}) => {
  needsDirectory("Readers of a service refuse actions.");
  test.slow();
  const desk = new Desk("presets");
  const asked: URL[] = [];
  const server = createServer(({ url = "/" }, response) => {
    asked.push(new URL(url, "http://localhost"));
    const answer = answers[asked.at(-1)!.pathname];
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const iem = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await desk.ingest(0, noEcho);
    await desk.ingest(5, noEcho);
    await desk.start({ presetAddresses: { iem, nws: `${iem}/nws` } });
    await page.goto(`${desk.origin}/#token=${actionToken}`);
    await viewer.expectSomethingDrawn();
    await viewer.button("Add overlay").click();
    const form = page.getByRole("region", { name: "Add overlay" });
    const row = (name: RegExp) =>
      page
        .getByRole("list", { name: "Overlays", exact: true })
        .getByRole("listitem")
        .filter({ hasText: name });
    await form.getByRole("button", { name: "Fetch: Official warnings of this event" }).click();
    await expect(row(/Storm-based warnings/)).toContainText("0 shown", { timeout: 30_000 });
    await form.getByRole("button", { name: "Fetch: Storm reports of this event" }).click();
    await expect(row(/storm reports/)).toContainText("1 shown", { timeout: 30_000 });
    const [warnings] = asked;
    expect(warnings!.searchParams.get("sts")).toBe(`${observedAt(0).slice(0, 19)}Z`);
    expect(warnings!.searchParams.get("ets")).toBe(`${observedAt(5).slice(0, 19)}Z`);

    await new Promise((resolve) => {
      server.close(resolve).closeAllConnections();
    });
    await page.reload();
    await viewer.expectSomethingDrawn();
    await expect(row(/storm reports/)).toContainText("1 shown", { timeout: 30_000 });
    await viewer.button("Previous revision").click();
    await viewer.expectDrawn(1);
    // The warning has ended by the second frame, and the report is of after the first.
    await expect(row(/Storm-based warnings/)).toContainText("1 shown");
    await expect(row(/storm reports/)).toContainText("0 shown");
  } finally {
    await desk.close();
    server.close().closeAllConnections();
  }
});
