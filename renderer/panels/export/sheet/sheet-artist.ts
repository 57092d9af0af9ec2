// Draws sheets of one size: the map off screen, and the words of the same moment over it.
import { newestUpTo } from "../../../../shared/revisions/known-at.ts";
import { AppError } from "../../../../shared/app-error.ts";
import type { SheetContent, SheetOptions, SheetSize } from "../../../export/sheet-drawer.ts";
import type { MapView } from "../../../map/scene.ts";
import { Patience } from "../../../platform/patience.ts";
import { selectShownRevision } from "../../../state/selectors.ts";
import { toStanding } from "../../../state/timeline/standing.ts";
import type { ViewerState } from "../../../state/store.ts";
import type { Viewer } from "../../../viewer-context.ts";
import { toCamera, type SheetLayout } from "./sheet-layout.ts";
import { SheetMap } from "./sheet-map.ts";
import {
  framesOf,
  freezeViewer,
  toEmptyScene,
  toStillScene,
  toWholePicture,
  withPicture,
  withSequence,
} from "./sheet-state.ts";
import type { SheetPart } from "./sheet.tsx";
import { SheetWords } from "./words-image.tsx";

/** Returns the camera that shows at least the area on screen. */
export function findCamera(viewer: Viewer, layout: SheetLayout): Pick<MapView, "center" | "zoom"> {
  const { view } = viewer.store.getState();
  const screen = viewer.map.sizePx();
  if (!view || screen.widthPx === 0) throw new AppError("not-found", "There is no map on screen.");
  return toCamera(view, screen, layout);
}

interface Drawing {
  readonly state: ViewerState;
  readonly content: SheetContent;
  readonly camera: Pick<MapView, "center" | "zoom">;
  /** Sequences that will be drawn next. */
  readonly ahead?: readonly number[] | undefined;
}

export class SheetArtist {
  readonly canvas = document.createElement("canvas");
  readonly #context: CanvasRenderingContext2D;
  readonly #viewer: Viewer;
  readonly #options: SheetOptions;
  layout: SheetLayout;
  readonly #map: SheetMap;
  readonly #words = new SheetWords();

  constructor(viewer: Viewer, options: SheetOptions, layout: SheetLayout) {
    this.#viewer = viewer;
    this.#options = options;
    this.layout = layout;
    this.canvas.width = options.widthPx;
    this.canvas.height = options.heightPx;
    // A picture without alpha is a smaller file, and is encoded sooner.
    this.#context = this.canvas.getContext("2d", {
      willReadFrequently: true,
      alpha: !options.includes.ground,
    })!;
    this.#map = new SheetMap(viewer, layout, options.includes);
  }

  /** Draws the same layout with more or fewer pixels from now on: the map off screen stays as it is. */
  resize(size: SheetSize, layout: SheetLayout): void {
    if (layout.scale === this.layout.scale) return;
    this.layout = layout;
    this.canvas.width = size.widthPx;
    this.canvas.height = size.heightPx;
    this.#map.setScale(layout.scale);
  }

  /** Returns the state that the sheet is about. */
  async draw({ state, content, camera, ahead = [] }: Drawing, signal?: AbortSignal): Promise<ViewerState> {
    const gap = "gap" in content ? content.gap : undefined;
    const wanted = "sequence" in content ? withSequence(state, content.sequence) : state;
    const scene = {
      ...(gap ? toEmptyScene(wanted) : toStillScene(wanted)),
      prefetch: ahead.flatMap((sequence) => framesOf(toStillScene(withSequence(state, sequence)))),
    };
    // Marks and words on the map are those of this picture, not of the one on screen.
    const expected = withPicture(wanted, toWholePicture(scene), camera);
    // The words of what is expected are made while its frames load; those of what came are mostly the same.
    const [taken] = await Promise.allSettled([
      this.#map.take({ state: expected, scene, camera }, this.#context, signal),
      this.#drawWords(expected, gap),
    ]);
    if (taken.status === "rejected") throw taken.reason;
    const drawn = gap ? undefined : taken.value;
    const { shown, words } = await this.#drawWords(withPicture(wanted, drawn, camera), gap);
    this.#context.drawImage(words, 0, 0);
    return shown;
  }

  /** Returns the state that the words are about, with what they name. */
  async #drawWords(
    state: ViewerState,
    gap: SheetPart["gap"],
  ): Promise<{ readonly shown: ViewerState; readonly words: HTMLImageElement }> {
    const shown = await withPublished(this.#viewer, state);
    const { widthPx, heightPx } = this.layout;
    const part = { leftPx: 0, topPx: 0, widthPx, heightPx, footPx: 0, gap };
    const words = await this.#words.draw(
      {
        parts: [{ viewer: freezeViewer(this.#viewer, shown), ...part }],
        includes: this.#options.includes,
        theme: state.theme,
      },
      this.layout,
    );
    return { shown, words };
  }

  close(): void {
    this.#map.close();
    this.#words.close();
  }
}

/** Longest time that a publication time may take to be read; then the sheet says that it is unknown. */
const publishedMs = 3_000;

/** Returns the state with the publication times that its words name. */
export async function withPublished(viewer: Viewer, state: ViewerState): Promise<ViewerState> {
  const { history, knownAt } = state;
  const shown = selectShownRevision(state);
  const named = [
    shown,
    shown && toStanding(state, shown).replacedBy,
    knownAt === undefined ? undefined : newestUpTo(history.all, knownAt),
  ];
  const times = await Promise.all(named.map((revision) => readPublished(viewer, revision?.revisionId)));
  const publishedAt = Object.fromEntries(times.flatMap((time) => time ?? []));
  return { ...state, publishedAt: { ...state.publishedAt, ...publishedAt } };
}

type PublishedEntry = [id: string, published: ViewerState["publishedAt"][string]];

async function readPublished(
  { store, session }: Viewer,
  id: string | undefined,
): Promise<PublishedEntry[] | undefined> {
  if (id === undefined) return undefined;
  const find = (): ViewerState["publishedAt"][string] | undefined => {
    const published = store.getState().publishedAt[id];
    return published === "reading" ? undefined : published;
  };
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stopFollowing = session.followPublished(id);
  const stopWatching = store.subscribe(() => {
    if (find()) resolve(undefined);
  });
  const patience = new Patience(publishedMs);
  if (!find()) await Promise.race([promise, patience.ended]);
  patience.stop();
  stopWatching();
  stopFollowing();
  return [[id, find() ?? "unknown"]];
}
