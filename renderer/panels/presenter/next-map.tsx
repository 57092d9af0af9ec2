// A small map of the next step, drawn from the step alone: this window reads its frames itself.
import { useEffect, useRef, type ReactNode } from "react";
import type { CitableView } from "../../../shared/views/citable-view.ts";
import { AnalysisClient } from "../../frames/analysis-client.ts";
import { StormMap } from "../../map/storm-map.ts";
import type { PresenterState } from "../../state/briefing/presenter-messages.ts";
import { toGround, toPreviewCamera, toStepScene } from "../../state/briefing/step-scene.ts";

export interface NextMapProps {
  readonly view: CitableView;
  readonly swath: PresenterState["nextSwath"];
  /** Width of the map on the projector in CSS pixels, before it is enlarged. */
  readonly projectorWidthPx: number;
}

export function NextMap({ view, swath, projectorWidthPx }: NextMapProps): ReactNode {
  const { soFar } = view.panes[view.active]!;
  const container = useRef<HTMLDivElement>(null);
  const map = useRef<StormMap>(undefined);
  useEffect(() => {
    const made = new StormMap(container.current!, new AnalysisClient(), silent, "preview");
    map.current = made;
    return () => {
      made.close();
    };
  }, []);
  useEffect(() => {
    const scene = toStepScene(view, swath);
    const camera = toPreviewCamera(view, container.current!.clientWidth, projectorWidthPx);
    map.current?.setTheme(view.theme);
    map.current?.setGround(toGround(view));
    map.current?.setScene(scene ?? nothing);
    if (camera) map.current?.showView(camera);
  }, [view, swath, projectorWidthPx]);
  return (
    <div className="presenter-next-map">
      {/* Nothing in it can be pressed. */}
      <div ref={container} inert aria-hidden="true" />
      {soFar && swath.length === 0 && <p>Without the largest so far, which is read as the step opens</p>}
      {view.follow === "newest" && <p>Shows whatever is newest then</p>}
      {view.panes.length > 1 && <p>{view.panes.length} panes; this is the one that leads</p>}
    </div>
  );
}

const nothing = {
  ...{ eventId: undefined, sequence: undefined, swipe: undefined },
  ...{ layers: [], overlays: [], prefetch: [] },
};

const ignore = (): void => undefined;
/** The preview reports to nobody: what fails in it says so on the projector, once the step is there. */
const silent = {
  ...{ onDrawn: ignore, onFrameState: ignore, onPointer: ignore, onPin: ignore, onPress: ignore },
  ...{ onCache: ignore, onView: ignore, onMove: ignore, onProblem: ignore, onUserMapProblem: ignore },
};
