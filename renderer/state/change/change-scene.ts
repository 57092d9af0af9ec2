// The scene while the person looks at what changed: left of the swipe line the revision before as it was, right of it
// the storm in gray under its changes. Pure.
import { toDifferenceRef, type FrameRef } from "../../frames/frame-ref.ts";
import type { MrmsLayer, ProductId } from "../../../shared/contract/index.ts";
import type { Coloring, Scene, SceneLayer, SceneOverlay } from "../../map/scene.ts";
import { selectChangePair, toRef, toThreshold, type LayerPair } from "./change-pair.ts";
import { memoizePerStore } from "../selectors.ts";
import type { ViewerState } from "../store.ts";

/** The pair on the map. */
export interface Comparison {
  readonly layers: readonly LayerPair[];
  /** A layer that both revisions have, in two frames. */
  readonly shown: Pick<LayerPair, "id"> & { readonly before: MrmsLayer; readonly after: MrmsLayer };
  /** Place of the line: everything is before at 1, after at 0. */
  readonly swipe: number;
  /** Least change shown, in the layer's unit. */
  readonly threshold: number;
}

/** Returns undefined while the map shows its layers as they are. */
export const selectComparison = memoizePerStore(
  (state) => [
    state.isComparing,
    selectChangePair(state),
    state.comparedSide,
    state.holdsBefore,
    state.swipeAt,
    state.changeThresholds,
  ],
  (state): Comparison | undefined => {
    const pair = state.isComparing ? selectChangePair(state) : undefined;
    const { kind, id, before, after } = pair?.shown ?? {};
    if (!pair || !id || kind !== "changed" || !before || !after) return undefined;
    const threshold = toThreshold(state, after);
    return { layers: pair.layers, shown: { id, before, after }, swipe: toSwipe(state), threshold };
  },
);

function toSwipe({ comparedSide, holdsBefore, swipeAt }: ViewerState): number {
  if (holdsBefore || comparedSide === "before") return 1;
  return comparedSide === "after" ? 0 : swipeAt;
}

/** Frames and settings that draw a comparison. */
export interface ComparedFrames extends Pick<Comparison, "swipe" | "threshold"> {
  readonly layers: readonly (Pick<LayerPair, "id" | "kind"> & { readonly before: FrameRef | undefined })[];
  readonly shown: { readonly id: ProductId; readonly before: FrameRef; readonly after: FrameRef };
}

type ComparedScene = Pick<Scene, "layers" | "overlays" | "swipe">;

/** Puts the comparison on the layers of the later revision. */
export function compareLayers(
  layers: readonly SceneLayer[],
  { layers: pairs, shown, swipe, threshold }: ComparedFrames,
): ComparedScene {
  const pairOf = (id: SceneLayer["id"]): ComparedFrames["layers"][number] | undefined =>
    pairs.find((pair) => pair.id === id);
  return {
    swipe,
    layers: layers.map((layer) => {
      if (layer.id === shown.id) {
        return { ...layer, visible: true, side: "right", coloring: toGray(layer.coloring) };
      }
      const isSame = pairOf(layer.id)?.kind === "unchanged";
      return { ...layer, side: "left", opacity: isSame ? layer.opacity : 0 };
    }),
    overlays: layers.flatMap((layer) => {
      const pair = pairOf(layer.id);
      const before = pair && pair.kind !== "unchanged" ? toBefore(layer, pair, shown) : [];
      return layer.id === shown.id ? [...before, toChanges(layer, shown, threshold)] : before;
    }),
  };
}

/** Colors of another service have no gray. */
function toGray(coloring: Coloring): Coloring {
  return coloring.palette === "published" ? coloring : { ...coloring, palette: "gray", showFrom: undefined };
}

function toBefore(
  { id, visible, opacity, coloring }: SceneLayer,
  { before }: ComparedFrames["layers"][number],
  shown: ComparedFrames["shown"],
): SceneOverlay[] {
  if (!before || (!visible && id !== shown.id)) return [];
  const frame = toRef(before);
  return [{ id: beforeId(id), frame, opacity, coloring, over: id, side: "left", stays: false }];
}

function toChanges(
  { id, coloring }: SceneLayer,
  shown: ComparedFrames["shown"],
  threshold: number,
): SceneOverlay {
  return {
    id: "changes",
    frame: toDifferenceRef(toRef(shown.before), toRef(shown.after)),
    opacity: 1,
    coloring: { ...coloring, showFrom: threshold === 0 ? undefined : threshold },
    over: id,
    side: "right",
    stays: false,
  };
}

/** The id of the overlay with a layer's earlier frame. */
export function beforeId(id: SceneLayer["id"]): string {
  return `before ${id}`;
}
