// A view of one machine opens on another as a link and as a file: the same pixels from an event pack, or a sentence for
// each way in which it cannot. Hostile links change nothing.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import { sha256Of } from "../../electron/platform/sha256.ts";
import { runCommand } from "../../electron/support/host-process.ts";
import { findViolations } from "../support/find-violations.ts";
import { noEcho, noHail, observedAt, type KnownFile, type Quadrants } from "../support/known-storm.ts";
import { needsDirectory, Station } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";
import { ViewerPage } from "../support/viewer-page.ts";

needsDirectory("Packs are exported and imported in directories.");

const label = "Norman storm";

/** Both layers of a window, of these values in the north. */
function toFiles(window: number, dbz: number, hailMm: number): KnownFile[] {
  const quadrants = (value: number, none: number): Quadrants => ({
    ...{ northWest: value, northEast: none, southWest: none, southEast: value / 2 },
  });
  return [
    { product: "mrms-reflectivity", observedAt: observedAt(window), quadrants: quadrants(dbz, noEcho) },
    { product: "mrms-mesh", observedAt: observedAt(window), quadrants: quadrants(hailMm, noHail) },
  ];
}

class Screen {
  readonly page: Page;
  readonly viewer: ViewerPage;
  readonly note: Locator;
  /** Addresses that the page asked for. */
  readonly requests: string[] = [];

  constructor(page: Page) {
    this.page = page;
    this.viewer = new ViewerPage(page);
    this.note = page.getByRole("region", { name: "Opened view" });
    page.on("request", (request) => this.requests.push(request.url()));
  }

  /** Opens a page that nobody has visited, at an address or a link. */
  static async open(browser: Browser, address: string): Promise<Screen> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const screen = new Screen(await context.newPage());
    await screen.page.goto(address);
    return screen;
  }

  /** Follows a link within the page, as a click does. */
  async follow(link: string): Promise<void> {
    await this.page.evaluate((fragment) => {
      window.location.hash = fragment;
    }, toFragment(link));
  }

  async copy(name: "Copy link" | "Copy citation"): Promise<string> {
    const dialog = this.page.getByRole("dialog", { name: "Export" });
    if (!(await dialog.isVisible())) await this.viewer.button("Export").click();
    await dialog.getByRole("button", { name, exact: true }).click();
    await expect(dialog.getByText(/(Link|Citation) copied/)).toBeVisible();
    return await this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Returns the hash of the pixels of a map, without what lies over it. */
  async pixels(map: Locator = this.viewer.map): Promise<string> {
    const setOver = (visibility: string): Promise<void> =>
      this.page.evaluate((value) => {
        const selector = ".map-body > :not(.map-region), .view-note, .export-dialog";
        for (const over of document.querySelectorAll<HTMLElement>(selector)) over.style.visibility = value;
      }, visibility);
    await setOver("hidden");
    const picture = await map.screenshot();
    await setOver("");
    return sha256Of(picture);
  }

  async expectNote(...sentences: string[]): Promise<void> {
    await expect(this.note.getByRole("button").first()).toBeVisible({ timeout: 40_000 });
    for (const sentence of sentences) await expect(this.note).toContainText(sentence);
    expect(await findViolations(this.page)).toEqual([]);
  }
}

function toFragment(link: string): string {
  return link.replace("echotop://", "#");
}

function pinnedFrame(link: string, product: string): string {
  return new RegExp(`frame=${product}~([0-9a-f]{64})~`).exec(link)![1]!;
}

async function carryPack(from: Station, to: Station): Promise<void> {
  const folder = join(from.data, "..", "storm.git");
  for (const args of [
    ["pack", "export", "--data", from.data, "storm", "--out", folder],
    ["pack", "import", "--data", to.data, folder],
  ]) {
    expect(await runCommand(args)).toMatchObject({ status: 0 });
  }
}

function removeFrame(folder: string, frame: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const path = files.find((name) => name.includes(frame))!;
  rmSync(join(folder, path));
}

/** A view that differs from a new page in everything but the event. */
async function arrange({ page, viewer }: Screen): Promise<void> {
  await viewer.expectDrawn(3);
  await viewer.flyTo("Norman", /^Norman\b.*Oklahoma/);
  // The mark of a place that was searched is not part of a view: a pin is.
  await viewer.button("Clear the search").click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await viewer.expectDrawn(1);
  await page.keyboard.press("ArrowRight");
  await viewer.expectDrawn(2);
  await page.getByRole("combobox", { name: "Colors" }).selectOption("nws");
  await page.getByRole("slider", { name: "Opacity of Hail size (MESH)" }).fill("50");
  await viewer.button("Map options").click();
  await page.getByRole("checkbox", { name: "Counties" }).uncheck();
  // The map library places the names of towns by the way that it came: of two sides, the one that was free then.
  await page.getByRole("checkbox", { name: "Cities and towns" }).uncheck();
  await page.getByRole("radio", { name: "Light" }).check();
  await viewer.button("Map options").click();
  // The flight to Norman may still be under way.
  await expect(async () => {
    const before = sha256Of(await viewer.map.screenshot());
    expect(sha256Of(await viewer.map.screenshot())).toBe(before);
  }).toPass();
}

test("a link opens the same pixels from an event pack on another machine, or says what differs", async ({
  browser,
  station: mine,
}) => {
  // Two hosts, six pages and eight commands, one after the other.
  test.slow();
  const theirs = new Station();
  try {
    for (const [window, dbz, hail] of [
      [0, 30, 20],
      [1, 45, 30],
      [2, 60, 50],
    ] as const) {
      await mine.ingestKnown("storm", toFiles(window, dbz, hail), ["--label", label]);
    }
    await mine.start();
    await carryPack(mine, theirs);
    await theirs.start();

    const own = await Screen.open(browser, mine.origin);
    await arrange(own);
    const link = await own.copy("Copy link");
    const citation = await own.copy("Copy citation");
    expect(citation).toContain(`${label}, revision 2 (20240520T210240Z-2), observed 2024-05-20 21:02:40 UTC`);
    expect(citation).toContain(`Hail size (MESH) (SHA-256 ${pinnedFrame(link, "mrms-mesh")})`);
    expect(citation).toContain("not a warning source");
    expect(citation.endsWith(link)).toBe(true);
    const picture = await own.pixels();

    const other = await Screen.open(browser, `${theirs.origin}/${toFragment(link)}`);
    await other.expectNote(`View of ${label}`, "Exactly the revisions of the view.");
    await other.viewer.expectDrawn(2);
    await expect.poll(() => other.pixels()).toBe(picture);
    expect(other.page.url()).toBe(`${theirs.origin}/`);
    expect(
      other.requests.filter((url) => !url.startsWith("blob:") && !url.startsWith(theirs.origin)),
    ).toEqual([]);
    expect(other.requests.some((url) => url.includes("follow="))).toBe(false);
    expect(await other.page.evaluate(() => localStorage.getItem("echotop.view"))).toBeNull();

    // A later revision, of a machine that has it: then one that does not.
    await mine.ingestKnown("storm", toFiles(1, 50, 40));
    await expect(own.viewer.timeline).toHaveAttribute("aria-valuemax", "4");
    await own.follow(link);
    await own.expectNote("Revision 4 has replaced revision 2 since; this is revision 2, as it was.");
    await expect.poll(() => own.pixels()).toBe(picture);
    await own.page.reload();
    await own.viewer.expectSomethingDrawn();
    await own.follow(link);
    await own.note.getByRole("button", { name: "Show revision 4" }).click();
    await own.viewer.expectDrawn(4);
    const later = await own.copy("Copy link");
    await other.follow(later);
    await other.expectNote("Revision 4 is missing: the newest one here is revision 3.");

    await carryPack(mine, theirs);
    removeFrame(await theirs.framesFolder(), pinnedFrame(link, "mrms-reflectivity"));
    const without = await Screen.open(browser, `${theirs.origin}/${toFragment(link)}`);
    await without.expectNote(
      "The Composite reflectivity frame of revision 2 is missing; revision 4 has replaced it.",
    );
    await without.note.getByRole("button", { name: "Show revision 4" }).click();
    await without.viewer.expectDrawn(4);
  } finally {
    await theirs.close();
  }
});

test("a link to an event that is not here, and hostile links, change nothing and are refused by name @core", async ({
  browser,
  station,
}) => {
  await station.ingestKnown("storm", toFiles(0, 40, 30), ["--label", label]);
  await station.start();
  const screen = await Screen.open(browser, station.origin);
  await screen.viewer.expectDrawn(1);
  const link = await screen.copy("Copy link");
  await screen.page.keyboard.press("Escape");
  const picture = await screen.pixels();
  const stored = await screen.page.evaluate(() => JSON.stringify(localStorage));
  screen.requests.length = 0;

  for (const [hostile, said] of [
    [link.replace("event=storm~", "event=elsewhere~"), `The event “${label}” (elsewhere) is not here.`],
    [link.slice(0, -40), "(view-invalid)"],
    [`${link}&task=events.remove`, "(view-invalid)"],
    [link.replace("dark", "light").replace("camera=", "camera=999"), "(view-invalid)"],
    [link.replace(/frame=mrms-mesh~\w+/, "frame=mrms-mesh~https%3A%2F%2Fevil.example%2Fa"), "(view-invalid)"],
    [link.replace("v=1", "v=2"), "(view-version-unknown)"],
    [`${link}&pin=${"a".repeat(21_000)}~1~1`, "(view-too-large)"],
  ] as const) {
    await screen.follow(hostile);
    await expect(screen.note).toContainText(said);
    await expect(screen.note).toContainText("Not opened");
    await screen.note.getByRole("button", { name: "Close" }).click();
    await expect(screen.note).toHaveCount(0);
    expect(screen.page.url()).toBe(`${station.origin}/`);
  }
  expect(await screen.pixels()).toBe(picture);
  expect(await screen.page.evaluate(() => JSON.stringify(localStorage))).toBe(stored);
  expect(
    screen.requests.filter(
      (url) => !url.startsWith(`${station.origin}/v1/`) && !url.startsWith(`${station.origin}/app/`),
    ),
  ).toEqual([]);
});

test("a browser without a clipboard shows the text of the button, selected", async ({ browser, station }) => {
  await station.ingestKnown("storm", toFiles(0, 40, 30), ["--label", label]);
  await station.start();
  const { page, viewer } = await Screen.open(browser, station.origin);
  await viewer.expectDrawn(1);
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await viewer.button("Export").click();
  for (const [name, said] of [
    ["Copy citation", /SHA-256/],
    ["Copy link", /^(?:echotop:|http)/],
  ] as const) {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("textbox", { name: "Text to copy" })).toHaveValue(said);
    const selected = await page.evaluate(() => {
      const field = document.activeElement as HTMLTextAreaElement;
      return field.value.slice(field.selectionStart, field.selectionEnd);
    });
    expect(selected).toMatch(said);
  }
});

test("a saved file opens when it is chosen and when it is dropped, and a person's own view comes back", async ({
  browser,
  station,
}) => {
  for (const window of [0, 1]) {
    await station.ingestKnown("storm", toFiles(window, 40 + window, 30), ["--label", label]);
  }
  await station.start();
  const mine = await Screen.open(browser, station.origin);
  await mine.viewer.expectDrawn(2);
  await mine.page.keyboard.press("Home");
  await mine.viewer.expectDrawn(1);
  await mine.page.getByRole("combobox", { name: "Colors" }).selectOption("color-blind");
  await mine.viewer.button("Export").click();
  const downloading = mine.page.waitForEvent("download");
  await mine.viewer.button("Save as file").click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("echotop-storm-rev1.echotop-view");
  const path = await download.path();

  const theirs = await Screen.open(browser, station.origin);
  const palette = theirs.page.getByRole("combobox", { name: "Colors" });
  await theirs.viewer.expectDrawn(2);
  await theirs.viewer.button("Export").click();
  await theirs.page.getByLabel("View file").setInputFiles({
    ...{ name: "view.echotop-view", mimeType: "application/json", buffer: readFileSync(path) },
  });
  await theirs.viewer.expectDrawn(1);
  await expect(palette).toHaveValue("color-blind");
  await theirs.viewer.button("Close").click();
  await theirs.viewer.button("Back to my view").click();
  await theirs.viewer.expectDrawn(2);
  await expect(palette).toHaveValue("echotop");

  await theirs.page.evaluate(
    (text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "view.echotop-view"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    readFileSync(path, "utf8"),
  );
  await theirs.viewer.expectDrawn(1);
  await theirs.viewer.button("Keep this view").click();
  await expect(theirs.note).toHaveCount(0);
  await theirs.page.reload();
  await expect(palette).toHaveValue("color-blind");
});

test("two panes open as they were: each its revision and place, and the lock that moves none of them", async ({
  browser,
  station,
}) => {
  for (const window of [0, 1, 2]) {
    await station.ingestKnown("storm", toFiles(window, 40 + 8 * window, 30), ["--label", label]);
  }
  await station.start();
  const mine = await Screen.open(browser, station.origin);
  const map = ({ page }: Screen, pane: string): Locator =>
    page.getByRole("region", { name: `Storm map, pane ${pane}` });
  const expectPanes = async (screen: Screen, first: number, second: number): Promise<void> => {
    await expect(map(screen, "A")).toHaveAttribute("data-sequence", String(first));
    await expect(map(screen, "B")).toHaveAttribute("data-sequence", String(second));
  };
  await mine.viewer.expectDrawn(3);
  await mine.page.keyboard.press("m");
  await expectPanes(mine, 3, 3);
  await mine.page.getByRole("radiogroup", { name: "Locked by" }).getByRole("radio", { name: "Off" }).check();
  // The arrows of the choice would change the lock.
  await mine.page.evaluate(() => {
    (document.activeElement as HTMLElement).blur();
  });
  await mine.page.keyboard.press("Home");
  await expectPanes(mine, 1, 3);
  await mine.page.keyboard.press("e");
  const link = await mine.copy("Copy link");
  const pictures = [await mine.pixels(map(mine, "A")), await mine.pixels(map(mine, "B"))];

  const theirs = await Screen.open(browser, `${station.origin}/${toFragment(link)}`);
  await theirs.expectNote("Exactly the revisions of the view.");
  await expectPanes(theirs, 1, 3);
  await expect.poll(() => theirs.pixels(map(theirs, "A"))).toBe(pictures[0]);
  await expect.poll(() => theirs.pixels(map(theirs, "B"))).toBe(pictures[1]);
});
