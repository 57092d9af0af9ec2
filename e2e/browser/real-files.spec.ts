// The real MRMS files next to the project, from the command line to the map: drawn, and compared with their cells pixel
// by pixel. Skipped by name if they are absent.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { projectRoot } from "../../electron/support/host-process.ts";
import { MrmsHistory, MrmsManifest, type ProductId } from "../../shared/contract/index.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { relabel } from "../support/restamp.ts";
import {
  countInexact,
  countScreen,
  findHighest,
  readFrameCells,
  readScreenStops,
  type FrameCells,
  type ScreenStops,
  type ScreenView,
} from "../support/screen-classes.ts";
import type { ViewerPage } from "../support/viewer-page.ts";
import type { Station } from "../support/station.ts";
import { test } from "../support/viewer-test.ts";

const mrms = join(projectRoot, "..", "shared", "mrms");
const hail = join(mrms, "conus/MRMS_MESH_00.50_20240228-025239.grib2");
const echo = join(mrms, "conus/MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2");
/** Rain rates, which stand for hail of every size when they are called so. */
const rain = join(mrms, "series-2019-06-10/PrecipRate_00.00_20190610-000000.grib2");

test.use({ viewport: { width: 1280, height: 800 } });

test("real MRMS files (../shared/mrms) are drawn, and every cell is seen at every scale", async ({
  page,
  viewer,
  station,
}) => {
  test.skip(
    ![hail, echo, rain].every((file) => existsSync(file)),
    "real MRMS files are not next to the project",
  );
  test.setTimeout(240_000);
  const folder = join(station.data, "..", "relabeled");
  mkdirSync(folder, { recursive: true });
  const rainAsHail = join(folder, "MRMS_MESH_00.50_20190610-000000.grib2");
  writeFileSync(rainAsHail, relabel(readFileSync(rain), getProduct("mrms-mesh").grib));
  const finished = await station.ingest("real", [rainAsHail, echo, hail]);
  expect(finished.lines.map(({ status }) => status)).toEqual(["complete", "complete", "complete"]);
  await station.start();

  const screen = new Screen(page, viewer, station);
  for (const { sequence, productId, from, marked, leastCells } of drawings) {
    const cells = await readCells(station, sequence, productId);
    const close = { center: findHighest(cells), zoom: closeZoom } as const;
    const views = sequence === 1 ? [conus, { ...close, zoom: 5.071 }, { ...close, zoom: 2.6 }] : [conus];
    let compared = 0;
    for (const view of views) {
      const { cells: seen, ...count } = countScreen(
        cells,
        await screen.show(sequence, productId, view),
        view,
        {
          from: stopOf(productId, from),
          marked: stopOf(productId, marked),
        },
      );
      expect(count, `revision ${sequence} at zoom ${view.zoom}`).toMatchObject({
        lost: 0,
        invented: 0,
        narrow: 0,
      });
      compared += seen;
    }
    expect(compared).toBeGreaterThan(leastCells);
    const exact = countInexact(cells, await screen.show(sequence, productId, close), close);
    expect(exact).toMatchObject({ wrong: 0 });
    expect(exact.drawn).toBeGreaterThan(0);
  }
});

/** All of the CONUS grid: a pixel covers about 7 by 7 cells. */
const conus: ScreenView = { center: [-97.3, 38.6], zoom: 3.37 };
/** At this zoom a pixel is one column of cells of 0.01 degrees wide. */
const closeZoom = Math.log2(36_000 / 512);

/**
 * Expectations of each revision: its layer, the lowest value that is compared, the lowest that is marked, and fewer
 * cells than are in view.
 */
const drawings = [
  { sequence: 1, productId: "mrms-mesh", from: 12.7, marked: 25.4, leastCells: 20_000 },
  { sequence: 2, productId: "mrms-reflectivity", from: 25, marked: Infinity, leastCells: 200_000 },
  { sequence: 3, productId: "mrms-mesh", from: 12.7, marked: 25.4, leastCells: 30 },
] as const;

/** Returns the first legend stop from this value on; beyond the last one if there is none. */
function stopOf(productId: ProductId, value: number): number {
  const { stops } = getProduct(productId);
  const found = stops.findIndex(({ from }) => from >= value);
  return found < 0 ? stops.length : found;
}

const settings = {
  version: 1,
  palette: "nws",
  hailUnits: "in",
  leftPanelOpen: true,
  characterKeys: true,
  speed: 4,
  loop: "all",
  playOrder: "published",
} as const;

/** Returns the cells of one layer of a revision. */
async function readCells(station: Station, sequence: number, productId: ProductId): Promise<FrameCells> {
  const history = await fetch(`${station.origin}/v1/storm-events/real/revisions`);
  const { frames } = MrmsHistory.parse(await history.json());
  const { revisionId } = frames.find((frame) => frame.sequence === sequence)!;
  const manifest = await fetch(`${station.origin}/v1/storm-events/real/revisions/${revisionId!}/manifest`);
  const layer = MrmsManifest.parse(await manifest.json()).layers.find(({ id }) => id === productId)!;
  const png = await fetch(new URL(layer.imageUrl, station.origin));
  return readFrameCells(new Uint8Array(await png.arrayBuffer()), getProduct(productId), layer.bounds);
}

/** The viewer at a view that the test chooses, as if it had been left there. */
class Screen {
  readonly #page: Page;
  readonly #viewer: ViewerPage;
  readonly #station: Station;

  constructor(page: Page, viewer: ViewerPage, station: Station) {
    this.#page = page;
    this.#viewer = viewer;
    this.#station = station;
  }

  /** Opens the viewer there, with one layer at full opacity, and returns what its pixels show. */
  async show(sequence: number, productId: ProductId, camera: ScreenView): Promise<ScreenStops> {
    const other: ProductId = productId === "mrms-mesh" ? "mrms-reflectivity" : "mrms-mesh";
    await this.#open(
      camera,
      { [productId]: { visible: true, opacity: 1 }, [other]: { visible: false } },
      sequence,
    );
    const shown = await this.#viewer.map.screenshot();
    await this.#page.getByRole("checkbox", { name: getProduct(productId).label }).uncheck();
    await this.#page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    return readScreenStops(shown, await this.#viewer.map.screenshot(), getProduct(productId));
  }

  async #open(camera: ScreenView, layers: object, sequence: number): Promise<void> {
    const saved = { ...settings, eventId: "real", layers, camera: { eventId: "real", ...camera } };
    // The viewer itself would save its own view before it is left.
    await this.#page.goto(`${this.#station.origin}/v1/storm-events`);
    await this.#page.evaluate((view) => {
      localStorage.setItem("echotop.view", view);
    }, JSON.stringify(saved));
    await this.#page.goto(this.#station.origin);
    await this.#viewer.timeline.focus();
    await this.#page.keyboard.press("Home");
    for (let step = 1; step < sequence; step++) await this.#page.keyboard.press("ArrowRight");
    await this.#viewer.expectDrawn(sequence);
    await this.#viewer.timeline.blur();
  }
}
