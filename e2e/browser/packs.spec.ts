// An event goes from one desk to another through the panel: shared on one real host, downloaded on a second one, and
// shown there as it was published; updates follow.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { ensureBuilt } from "../../electron/build/ensure-built.ts";
import { Desk, deskLabel as label, openPart } from "../support/desk.ts";
import { findViolations } from "../support/find-violations.ts";
import { needsDirectory } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";

needsDirectory("Packs are shared by actions, which readers of a service refuse.");

const hasGit = spawnSync("git", ["--version"]).status === 0;

let desks: Desk[];
test.beforeAll(() => ensureBuilt(["viewer", "places"]));
test.beforeEach(() => {
  desks = [];
});
test.afterEach(async () => {
  for (const desk of desks) await desk.close();
});

function createDesk(): Desk {
  const desk = new Desk("packs");
  desks.push(desk);
  return desk;
}

async function expectNoFault(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
}

/** Returns the newest manifest and the bytes of its first frame. */
async function readNewest(origin: string): Promise<{ manifest: string; frame: Buffer }> {
  const manifest = await (await fetch(`${origin}/v1/storm-events/storm/manifest`)).text();
  const { layers } = JSON.parse(manifest) as { layers: { imageUrl: string }[] };
  const frame = await fetch(new URL(layers[0]!.imageUrl, origin));
  expect(frame.status).toBe(200);
  return { manifest, frame: Buffer.from(await frame.arrayBuffer()) };
}

async function shareAndInvite(panel: Locator): Promise<{ address: string; token: string }> {
  await panel.getByRole("button", { name: "Turn on sharing" }).click();
  await panel.getByRole("button", { name: `Share ${label}` }).click();
  await expect(panel.getByText("The shared copy is up to date.").first()).toBeVisible({ timeout: 30_000 });
  await openPart(panel, "Sharing");
  await panel.getByRole("button", { name: "Turn on sharing on the local network" }).click();
  await expect(panel.getByLabel("Fingerprint of the certificate")).toHaveText(/\S{20,}/);
  await openPart(panel, "Packs");
  await panel.getByRole("button", { name: `Invite a colleague to download ${label}` }).click();
  const invitation = panel.getByRole("group", { name: `Invitation to ${label}` });
  await expect(invitation).toBeFocused();
  await expect(invitation.getByText("Shown once:")).toBeVisible();
  const address = await invitation.getByRole("textbox", { name: "Pairing code" }).inputValue();
  const token = await invitation.getByRole("textbox", { name: "Token" }).inputValue();
  return { address, token };
}

test("an event is shared, downloaded on a second desk, and shows the same picture there; updates follow", async ({
  browser,
}) => {
  test.skip(!hasGit, "Hosting needs Git on this machine.");
  // Two hosts, two pages and five commands, one after the other.
  test.slow();
  const [mine, theirs] = [createDesk(), createDesk()];
  await mine.start();
  await mine.ingest(0, 30);
  await mine.ingest(1, 50);
  await theirs.start();

  const own = await mine.openPanel(browser, "Packs");
  await own.viewer.expectDrawn(2);
  const { address, token } = await shareAndInvite(own.panel);
  expect(address).toMatch(/^https:.*#sha256=/);
  await expectNoFault(own.page);

  const other = await theirs.openPanel(browser, "Packs");
  await openPart(other.panel, "Download");
  await other.panel.getByRole("textbox", { name: "Address" }).fill(address);
  const field = other.panel.getByLabel("Token");
  await expect(field).toHaveAttribute("type", "password");
  await field.fill(token);
  await other.panel.getByRole("button", { name: "Download pack" }).click();
  await expect(other.panel.getByText("The whole pack is here.")).toBeVisible({ timeout: 30_000 });
  await expect(field).toHaveValue("");
  await other.viewer.expectDrawn(2);
  await expect(other.viewer.events.getByRole("option", { name: label })).toBeVisible();
  expect(await readNewest(theirs.origin)).toEqual(await readNewest(mine.origin));

  // A late correction of the first window goes to the shared copy automatically, and with one press to the other desk.
  await mine.ingest(0, 40);
  await expect(own.panel.getByText("Revision 3 · pack up to date", { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  await openPart(other.panel, "Packs");
  await other.panel.getByRole("button", { name: `Download updates: ${label}` }).click();
  await expect(other.panel.getByText(/^Revision 3/)).toBeVisible({ timeout: 30_000 });
  await openPart(other.panel, "Changes");
  await expect(other.panel.getByRole("heading")).toHaveText("1 new frame, 1 correction");
  await expect(other.panel.getByText("Late correction of 1: Reflectivity")).toBeVisible();
  await expectNoFault(other.page);

  await openPart(other.panel, "Packs");
  await other.panel.getByRole("button", { name: `Forget token: ${label}` }).click();
  await other.panel.getByRole("button", { name: `Yes, forget token: ${label}` }).click();
  await expect(other.panel.getByText("No token stored")).toBeVisible();
  await other.panel.getByRole("button", { name: `Download updates: ${label}` }).click();
  await expect(other.panel.getByText("Failed", { exact: true })).toBeVisible({ timeout: 30_000 });

  // The token is nowhere but where it was shown.
  const secret = token.split("?")[0]!;
  for (const { page } of [own, other]) {
    expect(page.url()).not.toContain(secret);
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(secret);
  }
  expect([...mine.log, ...theirs.log].join("\n")).not.toContain(secret);
});

test("an invalid token is refused with a message, and nothing arrives", async ({ browser }) => {
  test.skip(!hasGit, "Hosting needs Git on this machine.");
  const [mine, theirs] = [createDesk(), createDesk()];
  await mine.start();
  await mine.ingest(0, 30);
  await theirs.start();
  const { address } = await shareAndInvite((await mine.openPanel(browser, "Packs")).panel);

  const { panel, viewer } = await theirs.openPanel(browser, "Packs");
  await openPart(panel, "Download");
  await panel.getByRole("textbox", { name: "Address" }).fill(address);
  await panel.getByLabel("Token").fill(`art_v1_${"0".repeat(40)}`);
  await panel.getByRole("button", { name: "Download pack" }).click();
  const task = panel.getByRole("group", { name: "Downloading a pack" });
  await expect(task.getByText("Failed", { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(task.getByText(/token/i)).toBeVisible();
  await expect(viewer.events.getByRole("option")).toHaveCount(0);
});

test("without Git the panel says how to install it, and everything but sharing works", async ({
  browser,
}) => {
  const desk = createDesk();
  await desk.start({ api: { git: join(desk.data, "no-git-here") } });
  await desk.ingest(0, 30);
  const { page, panel } = await desk.openPanel(browser, "Packs");
  await expect(panel.getByText(/Sharing needs Git/)).toBeVisible();
  const share = panel.getByRole("button", { name: `Share ${label}` });
  await expect(share).toHaveAttribute("aria-disabled", "true");
  await panel.getByRole("button", { name: `Export: ${label}` }).click();
  await expect(panel.getByText("Revision 1 · pack up to date")).toBeVisible({ timeout: 30_000 });
  await expectNoFault(page);
  await openPart(panel, "Sharing");
  await expect(panel.getByText(/work without Git/)).toBeVisible();
});

test("without the run's token the panel is read-only and says so", async ({ page, viewer }) => {
  const desk = createDesk();
  await desk.start();
  await page.goto(desk.origin);
  await viewer.button("Share").click();
  const panel = page.getByRole("region", { name: "Share", exact: true });
  await expect(panel.getByRole("note")).toContainText("Read-only");
  await expect(panel.getByRole("radio")).toHaveCount(0);
});
