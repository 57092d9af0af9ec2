// The sign of an overlay in the list, as the map draws its shapes.
import type { ReactNode } from "react";
import { casingColor, reportColor, warningColors } from "../../map/overlays/overlay-colors.ts";
import { sortOf, type Overlay } from "../../state/overlays/held-overlay.ts";
import { overlayColorValues } from "../map/follow-overlays.ts";

export function OverlaySymbol({ overlay }: { readonly overlay: Overlay }): ReactNode {
  return (
    <svg className="overlay-symbol" width="16" height="14" viewBox="0 0 16 14" aria-hidden="true">
      {drawSymbol(overlay)}
    </svg>
  );
}

function drawSymbol({ content, color, hasFileColors }: Overlay): ReactNode {
  const sort = content && sortOf(content);
  const first = content?.shapes[0];
  if (sort === "reports") return <path d="M8 1.5 14.5 12.5h-13Z" fill={reportColor} stroke={casingColor} />;
  if (sort === "warnings") {
    const stroke = warningColors[first?.warning?.kind ?? "other"];
    return <path d="M2 3.5 13 1.5 14.5 11 3.5 12.5Z" fill="none" stroke={stroke} strokeWidth="2" />;
  }
  const own = overlayColorValues[color];
  const stroke = (hasFileColors ? first?.style?.color?.slice(0, 7) : undefined) ?? own;
  if (first?.geometry.type === "Point")
    return <circle cx="8" cy="7" r="4" fill={casingColor} stroke={stroke} strokeWidth="2" />;
  const isLine = first?.geometry.type === "LineString";
  const path = isLine ? "M1.5 11 6 4l4 4 4.5-6" : "M2 4.5 8 1.5 14 4 13 11.5 3.5 12.5Z";
  return <path d={path} fill="none" stroke={stroke} strokeWidth="1.6" strokeLinejoin="round" />;
}
