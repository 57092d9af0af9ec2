// The shapes of overlays under the probe: what each is, its times, its words. A report never looks like an estimate.
import type { ReactNode } from "react";
import { warningColors } from "../../map/overlays/overlay-colors.ts";
import type { Probe } from "../../state/slices/picture-slice.ts";
import { shapeCard } from "../../text/overlay-text.ts";
import { useViewerState } from "../../viewer-context.ts";

/** Shapes that a reading names; the rest are counted. */
const most = { pointer: 3, pin: 6 } as const;

export function ProbeShapes({ probe }: { readonly probe: Probe }): ReactNode {
  const overlays = useViewerState((state) => state.overlays);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const isPin = probe.pointer.source === "pin";
  const named = probe.shapes.slice(0, isPin ? most.pin : most.pointer);
  const cards = named.flatMap(({ overlayId, shape }) => {
    const overlay = overlays.find(({ id }) => id === overlayId);
    return overlay ? { shape, card: shapeCard(shape, overlay, hailUnits) } : [];
  });
  const more = probe.shapes.length - named.length;
  if (cards.length === 0) return null;
  return (
    <div className="probe-shapes" data-pinned={isPin}>
      {cards.map(({ shape, card }, index) => (
        <div key={index} className="probe-shape">
          <p className="probe-shape-head">
            {card.tag !== undefined && <span className="probe-tag">{card.tag}</span>}
            {shape.warning && (
              <span
                className="probe-outline"
                style={{ borderColor: warningColors[shape.warning.kind] }}
                aria-hidden="true"
              />
            )}
            <strong>{card.title}</strong>
          </p>
          {card.facts !== "" && <p className="quiet">{card.facts}</p>}
          {card.text !== undefined && (isPin || probe.shapes.length === 1) && (
            <p className="probe-shape-text">{card.text}</p>
          )}
        </div>
      ))}
      {more > 0 && <p className="quiet">{more} more here</p>}
    </div>
  );
}
