// A button of the presenter's window, with its key.
import type { ReactNode } from "react";

export interface PresenterButtonProps {
  readonly children: ReactNode;
  /** The key that does the same, as it is printed. */
  readonly shortcut?: string;
  readonly isMain?: boolean;
  readonly isPressed?: boolean;
  readonly isOff?: boolean;
  readonly onPress: () => void;
}

export function PresenterButton(props: PresenterButtonProps): ReactNode {
  const { children, shortcut, isMain = false, isPressed, isOff = false, onPress } = props;
  return (
    <button
      type="button"
      className={isMain ? "button main" : "button"}
      aria-pressed={isPressed}
      aria-disabled={isOff}
      onClick={isOff ? undefined : onPress}
    >
      {children}
      {shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
    </button>
  );
}
