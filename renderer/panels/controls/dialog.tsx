// A large panel over the map that stays open while the person uses the rest of the screen. Escape closes it.
import { useRef, type KeyboardEvent, type ReactNode } from "react";
import type { Flyout } from "../../state/slices/screen-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { useFocusInside } from "../hooks/use-focus-inside.ts";
import { Button } from "./button.tsx";
import { CloseIcon } from "./icons.tsx";

export interface DialogProps {
  readonly id: Flyout;
  /** Accessible name. */
  readonly name: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function toDialogId(id: Flyout): string {
  return `${id}-dialog`;
}

export function Dialog(props: DialogProps): ReactNode {
  const isOpen = useViewerState((state) => state.flyout === props.id);
  return isOpen && <OpenDialog {...props} />;
}

function OpenDialog({ id, name, className = "", children }: DialogProps): ReactNode {
  const { store } = useViewer();
  const dialog = useRef<HTMLElement>(null);

  useFocusInside(dialog, `[aria-controls="${toDialogId(id)}"], [data-dialog="${id}"]`);

  function press(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    store.getState().closeFlyout();
  }

  return (
    <section
      ref={dialog}
      id={toDialogId(id)}
      className={`dialog flyout-anchor ${className}`}
      role="dialog"
      aria-label={name}
      tabIndex={-1}
      onKeyDown={press}
    >
      <Button className="icon-button dialog-close" name="Close" onPress={store.getState().closeFlyout}>
        <CloseIcon />
      </Button>
      {children}
    </section>
  );
}

export interface DialogButtonProps {
  readonly id: Flyout;
  readonly name: string;
  readonly title: string;
  /** Value of `aria-keyshortcuts`. */
  readonly shortcut: string | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The button that opens and closes a dialog. */
export function DialogButton(props: DialogButtonProps): ReactNode {
  const { store } = useViewer();
  const isOpen = useViewerState((state) => state.flyout === props.id);
  return (
    <button
      type="button"
      className={`flyout-anchor ${props.className ?? "icon-button"}`}
      aria-label={props.name}
      title={props.title}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-controls={isOpen ? toDialogId(props.id) : undefined}
      aria-keyshortcuts={props.shortcut}
      data-dialog={props.id}
      onClick={() => {
        store.getState().toggleFlyout(props.id);
      }}
    >
      {props.children}
    </button>
  );
}
