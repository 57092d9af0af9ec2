// Why nothing but looking is possible here, in words; nothing where more is.
import type { ReactNode } from "react";
import { readOnlyWords } from "../../text/state-text.ts";
import { useViewerState } from "../../viewer-context.ts";

export function ReadOnlyNote(): ReactNode {
  const words = useViewerState((state) => readOnlyWords[state.access]);
  return words === undefined ? null : (
    <p className="read-only" role="note">
      {words}
    </p>
  );
}
