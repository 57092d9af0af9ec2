// The dialog "Export": a preview of the picture and what it includes, then the ways in which the storm leaves the
// viewer. It stays open while the person uses the rest of the screen.
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon, ExportIcon } from "../controls/icons.tsx";
import { DataSection } from "./data-section.tsx";
import { LinkSection } from "./link-section.tsx";
import { LoopSection } from "./loop-section.tsx";
import { PictureSection } from "./picture-section.tsx";
import { PictureView } from "./picture-view.tsx";

const dialogId = "export-dialog";

/** The button that opens and closes the dialog. */
export function ExportButton(): ReactNode {
  const { store } = useViewer();
  const isOpen = useViewerState((state) => state.flyout === "export");
  return (
    <button
      type="button"
      className="flyout-anchor export-button"
      aria-label="Export"
      title="Export: picture, loop, data, link (E)"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-controls={isOpen ? dialogId : undefined}
      onClick={() => {
        store.getState().toggleFlyout("export");
      }}
    >
      <ExportIcon />
    </button>
  );
}

export function ExportDialog(): ReactNode {
  const isOpen = useViewerState((state) => state.flyout === "export");
  return isOpen && <OpenDialog />;
}

function OpenDialog(): ReactNode {
  const { store } = useViewer();
  const dialog = useRef<HTMLElement>(null);

  // The focus comes into the dialog, and returns to where it was unless the person has moved it elsewhere.
  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.focus();
    return () => {
      const { activeElement } = document;
      const isLost = activeElement === document.body || opened?.contains(activeElement);
      const target = before === document.body ? document.querySelector(".export-button") : before;
      if (isLost && target instanceof HTMLElement) target.focus();
    };
  }, []);

  function press(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    store.getState().closeFlyout();
  }

  return (
    <section
      ref={dialog}
      id={dialogId}
      className="export-dialog flyout-anchor"
      role="dialog"
      aria-label="Export"
      tabIndex={-1}
      onKeyDown={press}
    >
      <Button className="icon-button export-close" name="Close" onPress={store.getState().closeFlyout}>
        <CloseIcon />
      </Button>
      <div className="export-scroll">
        <PictureView />
        <div className="export-sections">
          <PictureSection />
          <LoopSection />
          <DataSection />
          <LinkSection />
        </div>
      </div>
    </section>
  );
}
