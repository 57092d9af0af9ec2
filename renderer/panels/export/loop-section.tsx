// The loop as a video or an animated picture.
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { estimateBytes, saveLoop } from "../../export/loops/loop-session.ts";
import { planLoop, selectLoopLength } from "../../export/loops/loop-plan.ts";
import { selectActivePane } from "../../state/panes/pane-store.ts";
import { loopFormats } from "../../state/slices/loops-slice.ts";
import { expectedSize, loopFormatHints, loopFormatNames, loopLengthWords } from "../../text/loop-text.ts";
import { toPaneViewer, usePanes, useViewer, useViewerState, ViewerContext } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Segmented } from "../controls/segmented.tsx";
import { LoopOutcomeNote, LoopProgress } from "./loop-progress.tsx";
import { findStudio } from "./picture/save-picture.ts";
import { useLoopSize } from "./use-loop-size.ts";
import { useLoopObstacles } from "./use-loop-support.ts";

const oneFrame = "One frame: save a picture";

export function LoopSection(): ReactNode {
  const isSaving = useViewerState((state) => state.loopSaving !== undefined);
  const format = useViewerState((state) => state.loopFormat);
  const viewer = toPaneViewer(useViewer(), usePanes(selectActivePane));
  return (
    <section className="export-section" aria-label="Loop">
      <div className="export-section-head">
        <h3>Loop</h3>
        <ViewerContext value={viewer}>
          <LoopLength />
        </ViewerContext>
      </div>
      {isSaving ? <LoopProgress /> : <LoopChoice />}
      {format === "gif" && <p className="loop-note quiet">colors are reduced; not for measuring</p>}
      <LoopOutcomeNote />
    </section>
  );
}

/** The frames that playback repeats now. */
function LoopLength(): ReactNode {
  const length = useViewerState(selectLoopLength);
  return <span className="quiet">{length ? loopLengthWords(length) : oneFrame}</span>;
}

/** The formats, the expected size, and the button that saves. */
function LoopChoice(): ReactNode {
  const main = useViewer();
  const format = useViewerState((state) => state.loopFormat);
  const bits = useViewerState((state) => state.loopBits);
  const viewer = toPaneViewer(main, usePanes(selectActivePane));
  const length = useStore(viewer.store, useShallow(selectLoopLength));
  const size = useLoopSize(viewer);
  const obstacles = useLoopObstacles(size, length?.speed ?? 4);
  const bytes = length && estimateBytes(bits, { format, size, frames: length.revisions + length.gaps });

  function save(): void {
    const plan = planLoop(viewer.store.getState());
    if (!plan) return;
    // A video is opaque, and a loop of every format shows the same.
    const includes = { ...main.store.getState().sheetIncludes, ground: true };
    const openDrawer = () => findStudio(main).openDrawer(viewer, { ...size, includes });
    void saveLoop(main.store, { plan, format, size, openDrawer });
  }

  return (
    <div className="loop-choice">
      <Segmented
        legend="Format of the loop"
        options={loopFormats.map((value) => ({
          value,
          label: loopFormatNames[value],
          hint: loopFormatHints[value],
          unavailable: obstacles[value],
        }))}
        value={format}
        onChange={main.store.getState().setLoopFormat}
      />
      {bytes !== undefined && <span className="quiet">{expectedSize(bytes)}</span>}
      <Button name="Save loop" unavailable={length ? obstacles[format] : oneFrame} onPress={save}>
        Save
      </Button>
    </div>
  );
}
