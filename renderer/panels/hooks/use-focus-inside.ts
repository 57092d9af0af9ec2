// The focus comes into a panel that opens, and returns to where it was unless the person has moved it elsewhere.
import { useEffect, type RefObject } from "react";

/** `openerSelector` finds what has the focus afterwards if nothing had it before. */
export function useFocusInside(panel: RefObject<HTMLElement | null>, openerSelector?: string): void {
  useEffect(() => {
    const opened = panel.current;
    const before = document.activeElement;
    opened?.focus();
    return () => {
      const { activeElement } = document;
      const isLost = activeElement === document.body || opened?.contains(activeElement);
      const opener = openerSelector === undefined ? null : document.querySelector(openerSelector);
      const target = before === document.body ? opener : before;
      if (isLost && target instanceof HTMLElement) target.focus();
    };
  }, [panel, openerSelector]);
}
