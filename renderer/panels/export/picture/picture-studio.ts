// Takes pictures of what is on screen, one at a time. The map off screen stays for a while, so that the next picture
// of the same size is there at once.
import { AppError } from "../../../../shared/app-error.ts";
import { selectVisiblePanes, selectActivePane } from "../../../state/panes/pane-store.ts";
import { selectDrawn, selectIsLoadingPicture } from "../../../state/selectors.ts";
import { isPlaying, selectWantedSequence } from "../../../state/timeline/playhead.ts";
import type { SheetIncludes, SheetSizeName } from "../../../state/slices/export-slice.ts";
import type { ViewerState } from "../../../state/store.ts";
import { toPaneViewer, type Viewer } from "../../../viewer-context.ts";
import { Patience } from "../../../platform/patience.ts";
import type { SheetDrawer, SheetOptions, SheetSize } from "../../../export/sheet-drawer.ts";
import { findCamera, SheetArtist } from "../sheet/sheet-artist.ts";
import { toLayout } from "../sheet/sheet-layout.ts";
import { SheetWords } from "../sheet/words-image.tsx";
import { isSameList, pictureInputsOf } from "./picture-inputs.ts";
import { findProjector, toSize, type DisplaySource } from "./picture-sizes.ts";
import { drawWindow, planWindow } from "./window-picture.ts";

export interface PictureChoice {
  readonly size: SheetSizeName;
  readonly includes: SheetIncludes;
}

export interface TakenPicture {
  /** Reused by the next picture. */
  readonly canvas: HTMLCanvasElement;
  /** The state of each map in it. */
  readonly states: readonly ViewerState[];
}

interface KeptArtist {
  /** Says which maps it can draw. */
  readonly key: string;
  readonly artist: SheetArtist;
}

/** The map off screen ends after this long without a picture. */
const keptMs = 60_000;
/** Longest time that a picture on its way to the screen is waited for. */
const waitMs = 15_000;

export class PictureStudio {
  readonly #main: Viewer;
  readonly #canvas = document.createElement("canvas");
  #words: SheetWords | undefined;
  /** Undefined while a loop has it. */
  #artist: KeptArtist | undefined;
  /** The last picture, with what it was made of: pressing "Copy" under a preview draws nothing again. */
  #last: { readonly inputs: readonly unknown[]; readonly picture: TakenPicture } | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #ending: ReturnType<typeof setTimeout> | undefined;

  constructor(main: Viewer) {
    this.#main = main;
  }

  /** Takes a picture of the revision that the person wants to see, and gives it to `use` before the next is taken. */
  async take<T>(choice: PictureChoice, use: (picture: TakenPicture) => Promise<T> | T): Promise<T> {
    const turn = this.#queue.then(async () => {
      clearTimeout(this.#ending);
      try {
        return await use(await this.#draw(choice));
      } finally {
        this.#endLater();
      }
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Opens a drawer for pictures of the viewer as it is now: later changes of its state do not change them. Until it is
   * closed it has the map off screen, of which two would be in each other's way.
   */
  openDrawer(viewer: Viewer, { includes, ...size }: SheetOptions): SheetDrawer {
    const state = viewer.store.getState();
    const camera = findCamera(viewer, toLayout(size));
    const lent = this.#queue.then(() => {
      clearTimeout(this.#ending);
      const kept = this.#findArtist(viewer, size, includes, false);
      this.#artist = undefined;
      this.#last = undefined;
      return kept;
    });
    let drawing: Promise<unknown> = lent;
    this.#queue = lent.catch(() => undefined);
    return {
      ...size,
      draw: async (content, signal, ahead) => {
        const { artist } = await lent;
        drawing = artist.draw({ state, content, camera, ahead }, signal);
        await drawing;
        return artist.canvas;
      },
      close: () => {
        const takeBack = (kept: KeptArtist): void => {
          this.#takeBack(kept);
        };
        const ended = Promise.allSettled([this.#queue, drawing]);
        this.#queue = ended.then(() => lent.then(takeBack, () => undefined));
      },
    };
  }

  #takeBack(kept: KeptArtist): void {
    if (this.#artist) {
      kept.artist.close();
      return;
    }
    this.#artist = kept;
    this.#endLater();
  }

  #endLater(): void {
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => {
      this.close();
    }, keptMs);
  }

  close(): void {
    clearTimeout(this.#ending);
    this.#last = undefined;
    this.#artist?.artist.close();
    this.#artist = undefined;
    this.#words?.close();
    this.#words = undefined;
  }

  async #draw({ size, includes }: PictureChoice): Promise<TakenPicture> {
    const main = this.#main;
    const panes = main.panes.store.getState();
    const viewers = selectVisiblePanes(panes).map((pane) => toPaneViewer(main, pane));
    const active = toPaneViewer(main, selectActivePane(panes));
    await whenPicture(size === "window" ? viewers : [active]);
    const inputs: readonly unknown[] = [
      ...[size, includes, devicePixelRatio, active],
      ...viewers.flatMap(({ store, map: { sizePx } }) => [
        ...pictureInputsOf(store.getState()),
        sizePx().widthPx,
        sizePx().heightPx,
      ]),
    ];
    if (!this.#last || !isSameList(inputs, this.#last.inputs)) {
      this.#last = undefined;
      this.#last = { inputs, picture: await this.#drawAgain({ size, includes }, viewers, active) };
    }
    return this.#last.picture;
  }

  async #drawAgain(
    { size, includes }: PictureChoice,
    viewers: readonly Viewer[],
    active: Viewer,
  ): Promise<TakenPicture> {
    if (size === "window" && (viewers.length > 1 || isAsOnScreen(active.store.getState(), includes))) {
      this.#words ??= new SheetWords();
      const states = await drawWindow(planWindow(viewers), includes, this.#canvas, this.#words);
      return { canvas: this.#canvas, states };
    }
    const windowSize = toWindowSize(active);
    const projector = size === "projector" ? await findProjector(window as DisplaySource) : undefined;
    const { artist } = this.#findArtist(
      active,
      toSize(size, windowSize, projector),
      includes,
      size === "window",
    );
    const state = active.store.getState();
    const sequence = isPlaying(state) ? selectDrawn(state)?.sequence : selectWantedSequence(state);
    if (sequence === undefined) throw nothingToTake();
    const camera = findCamera(active, artist.layout);
    const shown = await artist.draw({ state, content: { sequence }, camera });
    return { canvas: artist.canvas, states: [shown] };
  }

  #findArtist(viewer: Viewer, size: SheetSize, includes: SheetIncludes, isWindow: boolean): KeptArtist {
    const layout = isWindow ? { ...viewer.map.sizePx(), scale: devicePixelRatio } : toLayout(size);
    const key = JSON.stringify([viewer.letter, layout.widthPx, layout.heightPx, includes]);
    if (this.#artist?.key !== key) {
      this.#artist?.artist.close();
      this.#artist = { key, artist: new SheetArtist(viewer, { ...size, includes }, layout) };
    }
    this.#artist.artist.resize(size, layout);
    return this.#artist;
  }
}

/** Returns the size of the map on screen, in pixels of the display. */
export function toWindowSize({ map }: Viewer): SheetSize {
  const { widthPx, heightPx } = map.sizePx();
  return {
    widthPx: Math.round(widthPx * devicePixelRatio),
    heightPx: Math.round(heightPx * devicePixelRatio),
  };
}

/** Returns true if the maps on screen show just these parts. */
function isAsOnScreen({ ground, pins, chosenPlace }: ViewerState, includes: SheetIncludes): boolean {
  const hasPlaces = ground.cities || chosenPlace !== undefined;
  return includes.ground && (includes.places || !hasPlaces) && (includes.pins || pins.length === 0);
}

function nothingToTake(): AppError {
  return new AppError("not-found", "There is no picture yet.");
}

/** Waits until the revisions that the person stepped to are on screen; while they play, any picture will do. */
async function whenPicture(viewers: readonly Viewer[]): Promise<void> {
  const isThere = ({ store }: Viewer): boolean => {
    const state = store.getState();
    if (selectWantedSequence(state) === undefined) return true;
    return selectDrawn(state) !== undefined && (isPlaying(state) || !selectIsLoadingPicture(state));
  };
  if (viewers.every(({ store }) => selectWantedSequence(store.getState()) === undefined)) {
    throw nothingToTake();
  }
  if (viewers.every(isThere)) return;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stops = viewers.map(({ store }) =>
    store.subscribe(() => {
      if (viewers.every(isThere)) resolve(undefined);
    }),
  );
  const patience = new Patience(waitMs);
  await Promise.race([promise, patience.ended]);
  patience.stop();
  for (const stop of stops) stop();
  if (!viewers.every(isThere)) {
    throw new AppError("not-found", "The picture is still loading. Try again when it is on the map.");
  }
}
