// Opens the presenter's window. With one screen, or where the browser refuses windows, the notes stand below the
// picture instead.
import type { BriefingSession } from "../../state/briefing/briefing-session.ts";

/** Returns false if the browser refused. */
export function openPresenterWindow({ showId }: Pick<BriefingSession, "showId">): boolean {
  const address = `presenter.html#${showId}`;
  return window.open(address, `echotop-presenter-${showId}`, "popup,width=1280,height=800") !== null;
}

/** Opens the window, or shows the notes below the picture or hides them. */
export function openPresenter(briefing: BriefingSession): void {
  const hasOtherScreen = (window.screen as { readonly isExtended?: boolean }).isExtended !== false;
  if (hasOtherScreen && openPresenterWindow(briefing)) return;
  briefing.store.setState(({ show }) => ({ show: show && { ...show, notes: !show.notes } }));
}
