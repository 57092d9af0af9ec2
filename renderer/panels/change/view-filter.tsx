// The choice to mark only the revisions that change the map's area, and their number.
import type { ReactNode } from "react";
import { FilterIcon } from "../controls/icons.tsx";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { useShortcut } from "../hooks/use-shortcut.ts";

export function ViewFilter(): ReactNode {
  const { store } = useViewer();
  const { after, aria } = useShortcut("view-changes");
  const isOn = useViewerState((state) => state.onlyViewChanges);
  const changing = useViewerState((state) => state.viewChanges?.size);
  const all = useViewerState((state) => state.history.revisions.length);
  if (all === 0) return null;
  const count = isOn ? `${changing ?? "…"} of ${all}` : undefined;
  return (
    <div className="view-filter">
      <button
        type="button"
        className="button small toggle"
        aria-pressed={isOn}
        aria-label={["Only revisions that change this view", count].filter(Boolean).join(", ")}
        title={after("Only revisions that change this view")}
        aria-keyshortcuts={aria}
        onClick={() => {
          store.getState().setOnlyViewChanges(!isOn);
        }}
      >
        <FilterIcon />
        <span className="view-filter-only">Only revisions that </span>
        <span className="view-filter-words">change this view</span>
      </button>
      {count !== undefined && (
        <span className="quiet" aria-hidden="true">
          {count}
        </span>
      )}
    </div>
  );
}
