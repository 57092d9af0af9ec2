// The left side of the dialog: the picture as it will be, its size, and what it includes.
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { SheetPart, SheetSizeName } from "../../state/slices/export-slice.ts";
import { useIsSideBySide, useViewer, useViewerState } from "../../viewer-context.ts";
import { LockIcon } from "../controls/icons.tsx";
import { Segmented, type SegmentOption } from "../controls/segmented.tsx";
import { findProjector, type DisplaySource, type SizeAnswer } from "./picture/picture-sizes.ts";
import { PicturePreview } from "./picture/picture-preview.ts";
import { findStudio } from "./picture/save-picture.ts";

const sizeLabels: Readonly<Record<SheetSizeName, string>> = {
  "1080p": "1080p",
  "4k": "4K",
  projector: "Projector",
  window: "This window",
};

const partLabels: Readonly<Record<SheetPart, string>> = {
  legend: "Legend",
  places: "Places",
  pins: "Pins",
  ground: "Ground",
};

export function PictureView(): ReactNode {
  const { store } = useViewer();
  const size = useViewerState((state) => state.sheetSize);
  const hasGround = useViewerState((state) => state.sheetIncludes.ground);
  const projector = useProjector();
  const options = (Object.keys(sizeLabels) as SheetSizeName[]).map((value): SegmentOption<SheetSizeName> => ({
    value,
    label: sizeLabels[value],
    unavailable: value === "projector" ? unavailableWords(projector) : undefined,
  }));
  return (
    <div className="export-view">
      <Preview />
      <div className="export-row">
        <span className="quiet" aria-hidden="true">
          Size
        </span>
        <Segmented legend="Size" options={options} value={size} onChange={store.getState().setSheetSize} />
      </div>
      <div className="export-row">
        {(Object.keys(partLabels) as SheetPart[]).map((part) => (
          <PartSwitch key={part} part={part} />
        ))}
      </div>
      <p className="export-locked quiet">
        <LockIcon />
        {hasGround
          ? "Times, disclosure and credits are always included"
          : "Transparent around the storm; times, disclosure and credits are always included"}
      </p>
    </div>
  );
}

function unavailableWords(projector: SizeAnswer | undefined): string | undefined {
  return projector && "unavailable" in projector ? projector.unavailable : undefined;
}

function useProjector(): SizeAnswer | undefined {
  const [answer, setAnswer] = useState<SizeAnswer>();
  useEffect(() => {
    void findProjector(window as DisplaySource).then(setAnswer);
  }, []);
  return answer;
}

function PartSwitch({ part }: { readonly part: SheetPart }): ReactNode {
  const { store } = useViewer();
  const isIncluded = useViewerState((state) => state.sheetIncludes[part]);
  const isAllPanes = useIsSideBySide();
  const isWindow = useViewerState((state) => state.sheetSize === "window");
  // The maps of all panes are taken as they are.
  const unavailable =
    isAllPanes && isWindow && part !== "legend" ? "Side by side, the maps are those on screen" : undefined;
  return (
    <label className="export-part" title={unavailable}>
      <input
        type="checkbox"
        className="check"
        aria-disabled={unavailable !== undefined}
        checked={isIncluded || unavailable !== undefined}
        onChange={({ target }) => {
          if (unavailable === undefined) store.getState().setSheetPart(part, target.checked);
        }}
      />
      {partLabels[part]}
    </label>
  );
}

/** The true output, smaller; drawn again when the picture or the choice changes. */
function Preview(): ReactNode {
  const viewer = useViewer();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!canvas.current) return undefined;
    const preview = new PicturePreview(viewer, findStudio(viewer), canvas.current, (shown) => {
      setProblem("problem" in shown ? shown.problem : undefined);
      if ("widthPx" in shown) setSize(`${shown.widthPx} × ${shown.heightPx}`);
    });
    return () => {
      preview.close();
    };
  }, [viewer]);
  return (
    <>
      <div className="export-title">
        <h2>Take it with you</h2>
        <span className="quiet">{size !== undefined && `Preview at ${size}`}</span>
      </div>
      <div className="export-preview" data-ready={size !== undefined && problem === undefined}>
        <canvas ref={canvas} role="img" aria-label="Preview of the picture" />
        {problem !== undefined && <p className="quiet">{problem}</p>}
      </div>
    </>
  );
}
