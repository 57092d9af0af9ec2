// A small panel over the edge of the map, next to the button that opens it. Escape or a press elsewhere closes it; it
// never blocks the screen.
import { useRef, type KeyboardEvent, type ReactNode } from "react";
import type { Flyout as FlyoutId } from "../../state/slices/screen-slice.ts";
import { readOnlyWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

export interface FlyoutProps {
  readonly id: FlyoutId;
  /** Shown on the button. */
  readonly label: ReactNode;
  /** Accessible name and tooltip of the button, where its label is not enough. */
  readonly name?: string;
  /** Tooltip of the button, if it is not the name. */
  readonly tooltip?: string;
  /** Accessible name of the panel. */
  readonly title: string;
  readonly buttonClass?: string;
  readonly panelClass?: string;
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

export function Flyout({
  id,
  label,
  name,
  tooltip,
  title,
  buttonClass,
  panelClass,
  onOpen,
  children,
}: FlyoutProps): ReactNode {
  const { store } = useViewer();
  const isOpen = useViewerState((state) => state.flyout === id);
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
        className={buttonClass ?? "icon-button"}
        aria-expanded={isOpen}
        aria-label={name}
        title={tooltip ?? name}
        onClick={() => {
          if (!isOpen) onOpen?.();
          store.getState().toggleFlyout(id);
        }}
      >
        {label}
      </button>
      {isOpen && (
        <section className={`flyout ${panelClass ?? ""}`} aria-label={title}>
          <div className="flyout-scroll">{children}</div>
        </section>
      )}
    </div>
  );
}

/** A flyout next to the left edge, for actions; where none are allowed it opens with the reason. */
export function SideFlyout(props: Omit<FlyoutProps, "buttonClass" | "panelClass">): ReactNode {
  const readOnly = useViewerState((state) => readOnlyWords[state.access]);
  return (
    <Flyout {...props} buttonClass="button small" panelClass="side-flyout">
      {readOnly && (
        <p className="read-only" role="note">
          {readOnly}
        </p>
      )}
      {props.children}
    </Flyout>
  );
}
