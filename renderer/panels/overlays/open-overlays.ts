// Opens the panel that has the overlays.
import type { Viewer } from "../../viewer-context.ts";

export const overlaySectionId = "overlays";

export function openOverlays({ store, panes }: Pick<Viewer, "store" | "panes">): void {
  if (panes.store.getState().count > 1) panes.store.setState({ layersOpen: true });
  else store.getState().setLeftPanelOpen(true);
}
