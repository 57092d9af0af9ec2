// The reading of the step's chosen place, large, joined to the place by a line.
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { toProbeLine } from "../../text/probe-text.ts";
import { layerShortNames } from "../../text/state-text.ts";
import { useBriefing, useViewer, useViewerState } from "../../viewer-context.ts";
import { findShowScale } from "./use-show-scale.ts";

interface Line {
  readonly from: readonly [xPx: number, yPx: number];
  readonly to: readonly [xPx: number, yPx: number];
}

export function ShowReading(): ReactNode {
  const { map } = useViewer();
  const pin = useViewerState((state) => state.picture.pin);
  const label = useViewerState(({ pins, chosenPin }) => pins[chosenPin]?.label);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const hasNotes = useBriefing(({ show }) => show?.notes);
  const box = useRef<HTMLDivElement>(null);
  const [line, setLine] = useState<Line>();
  const scale = findShowScale();
  const size = map.sizePx();
  const [xPx, yPx] = [pin?.pointer.xPx ?? -1, pin?.pointer.yPx ?? -1];
  const isInView = xPx >= 0 && yPx >= 0 && xPx <= size.widthPx && yPx <= size.heightPx;
  // The place may be where the reading usually stands.
  const isAside = isInView && xPx < size.widthPx * 0.36 && yPx > size.heightPx * 0.62;
  const place = isInView ? [xPx * scale, yPx * scale] : undefined;
  const [placeX, placeY] = place ?? [];

  useLayoutEffect(() => {
    const edges = box.current?.getBoundingClientRect();
    setLine(
      edges && placeX !== undefined && placeY !== undefined
        ? {
            from: toNearest(edges, [placeX, placeY], 6 * scale),
            to: [placeX, placeY],
          }
        : undefined,
    );
  }, [placeX, placeY, pin, label, hasNotes, scale]);

  if (!pin || label === undefined) return null;
  return (
    <>
      {line && <Leader line={line} scale={scale} />}
      <div ref={box} className="show-box show-reading" data-aside={isAside} role="group" aria-label="Reading">
        <h2>{label}</h2>
        {pin.readings.map((reading) => {
          const { color, details, isEstimate, primary, tone } = toProbeLine(reading, hailUnits);
          const what = details.length > 0 ? details : [layerShortNames[reading.id].toLowerCase()];
          return (
            <p key={reading.id} className={`probe-${tone === "value" ? "class" : tone}`}>
              <span
                className="probe-swatch"
                style={color === undefined ? undefined : { backgroundColor: color }}
                aria-hidden="true"
              />
              <strong>{primary}</strong>
              <span className="quiet">{[...what, ...(isEstimate ? ["estimate"] : [])].join(" · ")}</span>
            </p>
          );
        })}
      </div>
    </>
  );
}

/** Returns the point of the box that is nearest to a place, within its rounded corners. */
function toNearest(edges: DOMRect, [x, y]: Line["to"], insetPx: number): Line["from"] {
  return [
    clamp(x, edges.left + insetPx, edges.right - insetPx),
    clamp(y, edges.top + insetPx, edges.bottom - insetPx),
  ];
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** A light line with a dark edge from the reading to a ring around its place. */
function Leader({ line, scale }: { readonly line: Line; readonly scale: number }): ReactNode {
  const [[x1, y1], [x2, y2]] = [line.from, line.to];
  const radius = 7 * scale;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const reach = Math.max(0, 1 - radius / Math.max(length, radius));
  const end = { x2: x1 + (x2 - x1) * reach, y2: y1 + (y2 - y1) * reach };
  return (
    <svg className="show-leader" aria-hidden="true">
      {["show-leader-edge", "show-leader-line"].map((name) => (
        <g key={name} className={name}>
          <line x1={x1} y1={y1} {...end} />
          <circle cx={x2} cy={y2} r={radius} />
        </g>
      ))}
    </svg>
  );
}
