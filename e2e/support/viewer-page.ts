// A page object for the viewer: finds elements by role and accessible name, never by class or test id.
import { expect, type Locator, type Page } from "@playwright/test";
import { readPng } from "../../electron/platform/png/read.ts";

export class ViewerPage {
  readonly page: Page;
  readonly map: Locator;
  readonly timeline: Locator;
  readonly events: Locator;

  constructor(page: Page) {
    this.page = page;
    this.map = page.getByRole("region", { name: "Storm map" });
    this.timeline = page.getByRole("slider", { name: "Revision timeline" });
    this.events = page.getByRole("listbox", { name: "Storm events" });
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Waits until the layers of this sequence are drawn. */
  async expectDrawn(sequence: number): Promise<void> {
    await expect(this.map).toHaveAttribute("data-sequence", String(sequence), { timeout: 30_000 });
  }

  /** Waits until the layers of any sequence are drawn. */
  async expectSomethingDrawn(): Promise<void> {
    await expect(this.map).toHaveAttribute("data-sequence", /^\d+$/, { timeout: 30_000 });
  }

  /** Returns the sequences of the next `count` pictures drawn; null for an empty map. */
  watchDrawn(count: number): Promise<(string | null)[]> {
    return this.map.evaluate(
      (region, steps) =>
        new Promise((resolve) => {
          const seen: (string | null)[] = [];
          const observer = new MutationObserver(() => {
            seen.push(region.getAttribute("data-sequence"));
            if (seen.length < steps) return;
            observer.disconnect();
            resolve(seen);
          });
          observer.observe(region, { attributes: true, attributeFilter: ["data-sequence"] });
        }),
      count,
    );
  }

  async expectSelected(sequence: number): Promise<void> {
    await expect(this.timeline).toHaveAttribute("aria-valuenow", String(sequence));
  }

  async chooseEvent(label: string): Promise<void> {
    await this.events.getByRole("option", { name: label }).click();
  }

  async flyTo(query: string, option: RegExp): Promise<void> {
    const search = this.page.getByRole("combobox", { name: "Search places" });
    await search.fill(query);
    await this.page.getByRole("option", { name: option }).first().click();
  }

  /**
   * Returns the RGB triples of a square of the page, `sizePx` wide, around a point relative to the center of the map.
   */
  async readPixels(offsetPx: { x: number; y: number }, sizePx: number): Promise<Rgb[]> {
    const box = (await this.map.boundingBox())!;
    const png = await this.page.screenshot({
      clip: {
        x: Math.round(box.x + box.width / 2 + offsetPx.x - sizePx / 2),
        y: Math.round(box.y + box.height / 2 + offsetPx.y - sizePx / 2),
        width: sizePx,
        height: sizePx,
      },
    });
    return toRgb(png);
  }
}

export type Rgb = readonly [red: number, green: number, blue: number];

/** Limit for reading a screenshot, far above its size. */
const maxScreenshotPixels = 50_000_000;

/** Returns the pixels of a screenshot. */
export function toRgb(png: Uint8Array): Rgb[] {
  const { samples, header } = readPng(png, maxScreenshotPixels);
  const channels = samples.length / (header.widthPx * header.heightPx);
  const pixels: Rgb[] = [];
  for (let at = 0; at < samples.length; at += channels) {
    pixels.push([samples[at]!, samples[at + 1]!, samples[at + 2]!]);
  }
  return pixels;
}

/** Returns the share of pixels whose every channel is within `tolerance` of a `#rrggbb` color. */
export function shareOfColor(pixels: readonly Rgb[], color: string, tolerance = 3): number {
  const wanted = [1, 3, 5].map((from) => parseInt(color.slice(from, from + 2), 16));
  const near = pixels.filter((pixel) =>
    pixel.every((value, channel) => Math.abs(value - wanted[channel]!) <= tolerance),
  );
  return near.length / pixels.length;
}
