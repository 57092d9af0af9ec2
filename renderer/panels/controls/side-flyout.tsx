// A small panel beside the left edge: opens next to the button that asks for it, closes with Escape or a press elsewhere, and
// never takes the screen. Focus goes back to the button when it is closed from within.
import { useRef, type KeyboardEvent, type ReactNode } from "react";
import type { Flyout } from "../../state/slices/screen-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

export interface SideFlyoutProps {
  readonly flyout: Flyout;
  /** On the button. */
  readonly label: ReactNode;
  /** The button's whole words where its label is cut short. */
  readonly name?: string;
  /** The panel's name. */
  readonly title: string;
  readonly children: ReactNode;
  /** Called each time it is opened. */
  readonly onOpen?: () => void;
}

export function SideFlyout({ flyout, label, name, title, children, onOpen }: SideFlyoutProps): ReactNode {
  const { store } = useViewer();
  const open = useViewerState((state) => state.flyout === flyout);
  const button = useRef<HTMLButtonElement>(null);

  function press(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    store.getState().closeFlyout();
    button.current?.focus();
  }

  return (
    <div className="flyout-anchor" onKeyDown={press}>
      <button
        ref={button}
        type="button"
        className="button small"
        aria-expanded={open}
        aria-label={name}
        title={name}
        onClick={() => {
          if (!open) onOpen?.();
          store.getState().toggleFlyout(flyout);
        }}
      >
        {label}
      </button>
      {open && (
        <section className="flyout side-flyout" aria-label={title}>
          <div className="flyout-scroll">{children}</div>
        </section>
      )}
    </div>
  );
}
