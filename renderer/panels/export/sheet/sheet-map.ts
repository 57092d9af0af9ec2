// A map off screen with the look of the one on screen, of which pictures of any size are taken.
import { AppError } from "../../../../shared/app-error.ts";
import type { DrawnPicture, MapView, Scene, StormMapEvents } from "../../../map/scene.ts";
import { StormMap } from "../../../map/storm-map.ts";
import { schedule } from "../../../platform/page-effects.ts";
import { Patience } from "../../../platform/patience.ts";
import type { SheetIncludes } from "../../../state/slices/export-slice.ts";
import type { ViewerState } from "../../../state/store.ts";
import type { Viewer } from "../../../viewer-context.ts";
import { followLook, type Follower } from "../../map/follow-look.ts";
import { createOverlaySetter } from "../../map/follow-overlays.ts";
import type { SheetLayout } from "./sheet-layout.ts";
import { framesOf, isPictureOf } from "./sheet-state.ts";

/** Longest time in which nothing of a picture may arrive before it is given up. */
const pictureMs = 30_000;
/** Time between two looks at whether all has arrived. */
const lookMs = 16;

export interface Taking {
  readonly state: ViewerState;
  readonly scene: Scene;
  readonly camera: Pick<MapView, "center" | "zoom">;
}

export class SheetMap {
  readonly #container = document.createElement("div");
  readonly #map: StormMap;
  readonly #followers: readonly Follower[];
  readonly #setOverlays: ReturnType<typeof createOverlaySetter>;
  #camera: Taking["camera"] | undefined;
  #userMap: File | undefined;
  /** While a picture is taken. */
  #patience: Patience | undefined;

  constructor({ analysis }: Viewer, { widthPx, heightPx, scale }: SheetLayout, includes: SheetIncludes) {
    this.#container.className = "sheet-map";
    this.#container.style.width = `${widthPx}px`;
    this.#container.style.height = `${heightPx}px`;
    this.#container.inert = true;
    document.body.append(this.#container);
    const events = { ...silent, onFrameState: () => this.#patience?.renew() };
    this.#map = new StormMap(this.#container, analysis, events, {
      pixelRatio: scale,
      hasGround: includes.ground,
    });
    this.#followers = followLook(this.#map, includes);
    this.#setOverlays = createOverlaySetter(this.#map);
  }

  /**
   * Paints the whole picture of a scene over all of a canvas, and returns it.
   * @throws AppError if it cannot be complete, or the signal's reason
   */
  async take(
    taking: Taking,
    context: CanvasRenderingContext2D,
    signal?: AbortSignal,
  ): Promise<DrawnPicture | undefined> {
    const { state, scene, camera } = taking;
    // A movement, even to the same place, has the labels placed again.
    if (camera.zoom !== this.#camera?.zoom || camera.center.join() !== this.#camera.center.join()) {
      this.#camera = camera;
      this.#map.showView(camera);
    }
    this.#map.setScene(scene);
    for (const follow of this.#followers) follow(state);
    this.#setOverlays(state, scene.sequence);
    if (state.userMap !== this.#userMap) {
      this.#userMap = state.userMap;
      await this.#map.setUserMap(state.userMap);
    }
    const patience = new Patience(pictureMs);
    this.#patience = patience;
    const frames = framesOf(scene);
    while (!patience.isOver && signal?.aborted !== true) {
      if (this.#map.isReady(frames)) {
        if (!(await this.#map.whenSettled())) break;
        const taken = this.#map.readStill((paint, drawn) => {
          if (!isPictureOf(scene, drawn)) return undefined;
          paint(context);
          return { drawn };
        });
        if (taken) {
          patience.stop();
          return taken.drawn;
        }
      }
      await new Promise<void>((resolve) => schedule(lookMs, resolve));
    }
    patience.stop();
    signal?.throwIfAborted();
    throw new AppError("upstream-unavailable", "The picture did not load completely. Try again.");
  }

  /** Pixels of a picture for each CSS pixel from now on. */
  setScale(scale: number): void {
    this.#map.setEnlargement(scale / devicePixelRatio);
  }

  close(): void {
    this.#map.close();
    this.#container.remove();
  }
}

const ignore = (): void => undefined;
const silent: StormMapEvents = {
  onDrawn: ignore,
  onFrameState: ignore,
  onPointer: ignore,
  onPin: ignore,
  onPress: ignore,
  onCache: ignore,
  onView: ignore,
  onMove: ignore,
  onProblem: ignore,
  onUserMapProblem: ignore,
};
