// The words of a sheet as an image: renders them outside the page, and keeps the image while they stay the same.
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { AppError } from "../../../../shared/app-error.ts";
import { toImage } from "../../../export/markup-image.ts";
import type { SheetLayout } from "./sheet-layout.ts";
import { Sheet, type SheetProps } from "./sheet.tsx";

export class SheetWords {
  readonly #container = document.createElement("div");
  readonly #root = createRoot(this.#container);
  /** Reads one pixel. */
  readonly #pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;
  #last: { readonly key: string; readonly image: HTMLImageElement } | undefined;

  /** @throws AppError if the words cannot be drawn, whole */
  async draw(sheet: SheetProps, layout: SheetLayout): Promise<HTMLImageElement> {
    flushSync(() => {
      this.#root.render(<Sheet {...sheet} />);
    });
    const { firstElementChild: root } = this.#container;
    if (!(root instanceof HTMLElement))
      throw new AppError("conflict", "The words of the picture are missing.");
    const key = `${layout.widthPx} ${layout.heightPx} ${layout.scale} ${root.outerHTML}`;
    if (this.#last?.key !== key) {
      const image = await toImage(root, layout);
      if (
        sheet.parts.some(({ leftPx, topPx }) => !this.#isOpaqueAt(image, layout.scale, leftPx + 2, topPx + 2))
      ) {
        throw new AppError("conflict", "This browser draws no strip, and without it no picture is made.");
      }
      this.#last = { key, image };
    }
    return this.#last.image;
  }

  close(): void {
    this.#root.unmount();
  }

  /** Checks a point of the strip, in CSS pixels. */
  #isOpaqueAt(image: HTMLImageElement, scale: number, xPx: number, yPx: number): boolean {
    this.#pixel.clearRect(0, 0, 1, 1);
    this.#pixel.drawImage(image, -Math.round(xPx * scale), -Math.round(yPx * scale));
    return this.#pixel.getImageData(0, 0, 1, 1).data[3] === 255;
  }
}
