// The size of a loop's frames: the one chosen for pictures, in even numbers.
import { useEffect, useState } from "react";
import { toLoopSize } from "../../export/loops/loop-formats.ts";
import type { SheetSize } from "../../export/sheet-drawer.ts";
import { useViewerState, type Viewer } from "../../viewer-context.ts";
import { findProjector, toSize, type DisplaySource, type SizeAnswer } from "./picture/picture-sizes.ts";
import { toWindowSize } from "./picture/picture-studio.ts";

export function useLoopSize(viewer: Viewer): SheetSize {
  const name = useViewerState((state) => state.sheetSize);
  const [projector, setProjector] = useState<SizeAnswer>();
  useEffect(() => {
    if (name === "projector") void findProjector(window as DisplaySource).then(setProjector);
  }, [name]);
  return toLoopSize(toSize(name, toWindowSize(viewer), projector));
}
