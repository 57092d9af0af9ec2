// The width of an element, which the drawings of the timeline and of a place share.
import { useMemo, useState } from "react";

export interface MeasuredWidth {
  /** Measures the element that it is given to. */
  readonly ref: (element: HTMLElement | null) => (() => void) | undefined;
  readonly widthPx: number;
}

export function useWidth(): MeasuredWidth {
  const [widthPx, setWidthPx] = useState(0);
  const ref = useMemo(
    () => (element: HTMLElement | null) => {
      if (!element) return undefined;
      const observer = new ResizeObserver(() => {
        setWidthPx(element.clientWidth);
      });
      observer.observe(element);
      return () => {
        observer.disconnect();
      };
    },
    [],
  );
  return { ref, widthPx };
}
