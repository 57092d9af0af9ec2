// A forecaster publishes a briefing from the viewer, visitors read it through the gateway, and AI training crawlers
// are sent to the event's page once that is on: against real hosts, with visitors that have their own addresses.
import { request } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { ensureBuilt } from "../../electron/build/ensure-built.ts";
import { Desk, deskEvent, deskLabel, openPart } from "../support/desk.ts";
import { findViolations } from "../support/find-violations.ts";
import { needsDirectory } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";

needsDirectory("Briefings are published by actions, which readers of a service refuse.");

/** On other systems the loopback has one address, so visitors could not differ. */
const hasVisitors = process.platform === "linux";
const noVisitors = "A crawler's own address needs Linux, whose loopback has many.";
const trainBot = "Mozilla/5.0 (compatible; TrainBot/1.2; +https://train.example/bot)";
const publicOrigin = "https://brief.example";

let desk: Desk;
test.beforeAll(() => ensureBuilt(["viewer", "places", "briefing-map"]));
test.beforeEach(() => {
  desk = new Desk("briefings");
});
test.afterEach(() => desk.close());

async function expectNoFault(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
}

/** Starts a desk with two revisions, whose configuration file puts the gateway in front of its briefings. */
async function startGuardedDesk(zone: Readonly<Record<string, unknown>> = {}): Promise<void> {
  desk.write("bots.json", {
    schema_version: 1,
    updated_at: "2026-11-19T00:00:00Z",
    bots: [
      {
        name: "TrainBot",
        operator: "Train",
        category: "AI Crawler",
        user_agents: ["TrainBot"],
        ranges: ["127.0.0.2/32"],
        dns_suffixes: [],
        signature_agents: [],
      },
    ],
  });
  await desk.start({
    gateway: {
      port: 0,
      bots: "bots.json",
      zones: [
        {
          id: "z1",
          hosts: ["brief.example"],
          public_origin: publicOrigin,
          plan: "pro",
          origin: "briefings",
          ...zone,
        },
      ],
    },
  });
  await desk.ingest(0, 30);
  await desk.ingest(1, 50);
}

interface Answer {
  readonly status: number | undefined;
  readonly location: string | undefined;
}

/** Requests a page of the zone from the gateway as a crawler, from this address. */
function visit(path: string, from: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { host: "brief.example", "user-agent": trainBot };
  request(new URL(path, desk.gateway), { localAddress: from, headers }, (response) => {
    response.resume();
    response.on("end", () => {
      resolve({ status: response.statusCode, location: response.headers.location });
    });
  })
    .on("error", reject)
    .end();
  return promise;
}

async function publish(panel: Locator): Promise<void> {
  await panel.getByRole("button", { name: `Publish briefing: ${deskLabel}` }).click();
  const task = panel.getByRole("group", { name: `Publishing ${deskLabel}` });
  await expect(task.getByText("Done", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(panel.getByText(/^3 pages · .*Up to date$/)).toBeVisible();
}

test("a briefing is published, a crawler is sent to its main page once that is on, and the panel reports both", async ({
  browser,
}) => {
  test.skip(!hasVisitors, noVisitors);
  test.slow();
  await startGuardedDesk();
  const { page, panel, viewer } = await desk.openPanel(browser, "Briefing");
  await viewer.expectDrawn(2);
  await publish(panel);
  const folder = await panel.getByRole("textbox", { name: "Folder" }).inputValue();
  expect(readFileSync(join(folder, "index.html"), "utf8")).toContain(deskLabel);
  await expectNoFault(page);

  const revision = `/${deskEvent}/r/2/`;
  expect(await visit(revision, "127.0.0.2")).toEqual({ status: 200, location: undefined });
  await openPart(panel, "Web server");
  await panel.getByRole("button", { name: "Turn on sending crawlers to the main page, zone z1" }).click();
  const off = panel.getByRole("button", { name: "Turn off sending crawlers to the main page, zone z1" });
  await expect(off).toBeVisible();
  await expect(panel.getByText(/^1 known crawler, as of 19 Nov 2026/)).toBeVisible();
  await expectNoFault(page);
  const main = `${publicOrigin}/${deskEvent}/`;
  expect(await visit(revision, "127.0.0.2")).toEqual({ status: 301, location: main });
  expect((await visit(revision, "127.0.0.1")).status).toBe(200);

  await openPart(panel, "Redirects");
  const row = panel.getByRole("row", { name: /^TrainBot/ });
  await expect(row).toContainText(`${revision} → /${deskEvent}/`);
  await expect(row.getByRole("cell").last()).toHaveText("1");
  await expect(panel.getByText("3 page requests in the last 24 hours, 1 sent to a main page")).toBeVisible();
  await panel.getByRole("radio", { name: "the last 7 days" }).check();
  await expect(panel.getByRole("rowheader", { name: "Sent to the main page" })).toBeVisible();
  await expectNoFault(page);

  await openPart(panel, "Explain");
  await expect(panel.getByRole("textbox", { name: "Page", exact: true })).toHaveValue(
    publicOrigin + revision,
  );
  await panel.getByRole("combobox", { name: "Visitor" }).selectOption("Another, by its user agent…");
  await panel.getByRole("textbox", { name: "User agent" }).fill(trainBot);
  await panel.getByRole("textbox", { name: "Address" }).fill("127.0.0.2");
  await panel.getByRole("button", { name: "Explain" }).click();
  await expect(panel.getByText("Is sent to another page (301)")).toBeInViewport({ ratio: 1 });
  await expect(
    panel.getByRole("list", { name: "How it was decided" }).getByRole("listitem").last(),
  ).toContainText("decided");
  await expectNoFault(page);
  await panel.getByRole("textbox", { name: "Address" }).fill("127.0.0.1");
  await panel.getByRole("button", { name: "Explain" }).click();
  await expect(panel.getByText("Gets the requested page (200)")).toBeVisible();
});

test("the web server is turned on from the panel, the briefing opens there, and newer revisions are counted", async ({
  browser,
}) => {
  test.slow();
  await desk.start();
  await desk.ingest(0, 30);
  await desk.ingest(1, 50);
  const { page, panel } = await desk.openPanel(browser, "Briefing");
  await publish(panel);
  await panel.getByRole("button", { name: "Turn on the web server" }).click();
  await expect(panel.getByRole("radio", { name: "Web server", exact: true })).toBeFocused();
  await panel.getByRole("button", { name: "Turn on the web server" }).click();
  await expect(panel.getByText(/^At http:\/\/127\.0\.0\.1:\d+, for programs/)).toBeVisible();

  await openPart(panel, "Briefing");
  const opening = page.waitForEvent("popup");
  await panel.getByRole("link", { name: `Open the briefing of ${deskLabel}` }).click();
  const briefing = await opening;
  await expect(briefing.getByRole("heading", { level: 1 })).toContainText(deskLabel);
  await expect(briefing.locator('link[rel="canonical"]')).toHaveCount(1);
  await expectNoFault(briefing);
  await briefing.close();

  await desk.ingest(2, 40);
  await expect(panel.getByText(/1 newer revision is not in it\.$/)).toBeVisible({ timeout: 30_000 });
  await panel.getByRole("radio", { name: "Choose revisions by number" }).check();
  await panel.getByRole("textbox", { name: "Revisions" }).fill("3-4");
  const again = panel.getByRole("button", { name: `Publish again: ${deskLabel}` });
  await expect(again).toHaveAttribute("aria-disabled", "true");
  await panel.getByRole("textbox", { name: "Revisions" }).fill("1, 3");
  await again.click();
  await expect(panel.getByText(/^3 pages · .*Up to date$/)).toBeVisible({ timeout: 60_000 });

  await openPart(panel, "Redirects");
  await expect(
    panel.getByText(/page requests? in the last 24 hours, none sent to a main page$/),
  ).toBeVisible();
});

test("on a plan without redirects they cannot be turned on, and the panel says why", async ({ browser }) => {
  await startGuardedDesk({ plan: "free" });
  const { panel } = await desk.openPanel(browser, "Briefing");
  await openPart(panel, "Web server");
  await expect(panel.getByText("Not part of plan “free”")).toBeVisible();
  for (const name of [/^Turn on sending crawlers/, "Turn off the web server"])
    await expect(panel.getByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
  await openPart(panel, "Redirects");
  await expect(panel.getByText("No page requests in the last 24 hours")).toBeVisible();
});

test("nothing of the panel is out of reach on a small screen or at a zoom of 150 %", async ({ browser }) => {
  await startGuardedDesk();
  const { page, panel } = await desk.openPanel(browser, "Briefing");
  const farthest: [part: string, control: Locator][] = [
    ["Briefing", panel.getByRole("button", { name: /^Publish briefing/ })],
    ["Web server", panel.getByRole("button", { name: /^Turn on sending crawlers/ })],
    ["Redirects", panel.getByRole("radio", { name: "the last 7 days" })],
    ["Explain", panel.getByRole("button", { name: "Explain" })],
  ];
  for (const [width, height] of [
    [640, 400],
    [853, 533],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [part, control] of farthest) {
      await openPart(panel, part);
      await control.scrollIntoViewIfNeeded();
      await expect(control).toBeInViewport({ ratio: 1 });
    }
  }
});

test("without the run's token the panel is read-only and says so", async ({ page, viewer }) => {
  await desk.start();
  await page.goto(desk.origin);
  await viewer.button("Share").click();
  const panel = page.getByRole("region", { name: "Share", exact: true });
  await expect(panel.getByRole("note")).toContainText("Read-only");
  await expect(panel.getByText(/^A briefing is an event as plain web pages/)).toBeVisible();
  await expect(panel.getByRole("radio")).toHaveCount(0);
});
