// Marks a page that may not act; its tooltip says why.
import type { ReactNode } from "react";
import { readOnlyWords } from "../../text/state-text.ts";
import { useViewerState } from "../../viewer-context.ts";

export function ReadOnlyMark(): ReactNode {
  const readOnly = useViewerState((state) => readOnlyWords[state.access]);
  return (
    readOnly && (
      <span className="read-only-mark" title={readOnly}>
        Read-only
      </span>
    )
  );
}
