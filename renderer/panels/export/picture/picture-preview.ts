// Keeps a small copy of the picture up to date, at most a few times a second, while the dialog is open. It rests while
// a loop is saved, which has the map off screen.
import { isAppError } from "../../../../shared/app-error.ts";
import type { SheetSize } from "../../../export/sheet-drawer.ts";
import { schedule } from "../../../platform/page-effects.ts";
import type { ViewerState } from "../../../state/store.ts";
import type { Viewer } from "../../../viewer-context.ts";
import { fixedSizes } from "../sheet/sheet-layout.ts";
import { isSameList, pictureInputsOf } from "./picture-inputs.ts";
import type { PictureStudio, TakenPicture } from "./picture-studio.ts";

export type PreviewReport = SheetSize | { readonly problem: string };

/** Least time between two pictures: the screen comes first. */
const restMs = 250;

export class PicturePreview {
  readonly #main: Viewer;
  readonly #studio: PictureStudio;
  readonly #canvas: HTMLCanvasElement;
  readonly #report: (report: PreviewReport) => void;
  readonly #stops: (() => void)[];
  #isStale = true;
  #isDrawing = false;
  #isClosed = false;

  constructor(
    main: Viewer,
    studio: PictureStudio,
    canvas: HTMLCanvasElement,
    report: (report: PreviewReport) => void,
  ) {
    this.#main = main;
    this.#studio = studio;
    this.#canvas = canvas;
    this.#report = report;
    const watch = (state: ViewerState, previous: ViewerState): void => {
      if (!isSameList(pictureInputsOf(state), pictureInputsOf(previous))) this.#follow();
    };
    const { panes, store } = main;
    this.#stops = panes.store.getState().panes.map((pane) => pane.store.subscribe(watch));
    this.#stops.push(
      panes.store.subscribe(() => {
        this.#follow();
      }),
      store.subscribe((state, previous) => {
        if (previous.loopSaving && !state.loopSaving) this.#follow();
      }),
    );
    if (!store.getState().selectedEventId) this.#report({ problem: "There is no picture yet." });
    this.#follow();
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
  }

  #follow(): void {
    this.#isStale = true;
    if (!this.#isDrawing) void this.#draw();
  }

  async #draw(): Promise<void> {
    this.#isDrawing = true;
    while (this.#isStale && !this.#isClosed && !this.#main.store.getState().loopSaving) {
      this.#isStale = false;
      try {
        const { sheetSize: size, sheetIncludes: includes } = this.#main.store.getState();
        // 4K has the layout of 1080p, and on the small copy the same look for a quarter of the work.
        await this.#studio.take({ size: size === "4k" ? "1080p" : size, includes }, (picture) => {
          this.#show(picture, size === "4k" ? fixedSizes["4k"] : undefined);
        });
      } catch (error) {
        this.#tell({ problem: isAppError(error) ? error.detail : "The picture could not be drawn." });
        if (!isAppError(error)) throw error;
      }
      await new Promise<void>((resolve) => schedule(restMs, resolve));
    }
    this.#isDrawing = false;
  }

  #show({ canvas }: TakenPicture, fileSize: SheetSize | undefined): void {
    const copy = this.#canvas;
    const ratio = canvas.height / canvas.width;
    copy.style.aspectRatio = `${canvas.width} / ${canvas.height}`;
    copy.width = Math.round(copy.clientWidth * devicePixelRatio);
    copy.height = Math.round(copy.width * ratio);
    const context = copy.getContext("2d")!;
    context.imageSmoothingQuality = "high";
    context.drawImage(canvas, 0, 0, copy.width, copy.height);
    this.#tell(fileSize ?? { widthPx: canvas.width, heightPx: canvas.height });
  }

  #tell(report: PreviewReport): void {
    if (!this.#isClosed) this.#report(report);
  }
}
