// The probe: readings of the layers next to the pointer or the crosshair. Readings of a resting crosshair are also
// spoken.
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { coordinate, utcClock } from "../../text/format.ts";
import { spokenProbe, toProbeLine, type ProbeLine } from "../../text/probe-text.ts";
import type { Probe } from "../../state/slices/picture-slice.ts";
import { knownLayersOf, selectShownRevision } from "../../state/selectors.ts";
import { layerShortNames } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ProbePlace } from "./probe-place.tsx";

/** Time that the crosshair rests before its reading is spoken. */
const restMs = 500;
const readoutWidthPx = 296;

export function ProbeReadout(): ReactNode {
  const { map } = useViewer();
  const probe = useViewerState((state) => state.picture.probe);
  const revision = useViewerState(selectShownRevision);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const hasLayers = useViewerState((state) => knownLayersOf(state.history.revisions).length > 0);
  const spoken = useSpokenProbe(probe);
  const lines =
    probe?.readings.map((reading) => ({ id: reading.id, line: toProbeLine(reading, hailUnits) })) ?? [];
  return (
    <>
      <p className="unseen" aria-live="polite">
        {spoken}
      </p>
      {probe && map.find() && hasLayers && (
        <Readout probe={probe} lineCount={lines.length}>
          {revision && (
            <p className="probe-frame quiet">
              {utcClock(revision.observedMs)} UTC · revision {revision.sequence}
            </p>
          )}
          {lines.map(({ id, line }) => (
            <ProbeRow key={id} name={layerShortNames[id]} line={line} />
          ))}
          {lines.length === 0 && <p className="quiet">All layers are hidden</p>}
          <p className="probe-where quiet">
            {coordinate(...probe.pointer.coordinate)}
            <Suspense>
              <ProbePlace coordinate={probe.pointer.coordinate} />
            </Suspense>
          </p>
        </Readout>
      )}
    </>
  );
}

function ProbeRow({ name, line }: { name: string; line: ProbeLine }): ReactNode {
  return (
    <div className={`probe-row probe-${line.tone}`}>
      <span
        className="probe-swatch"
        style={line.color === undefined ? undefined : { backgroundColor: line.color }}
        aria-hidden="true"
      />
      <p>
        <strong>{line.primary}</strong> {line.other !== "" && <span className="quiet">{line.other}</span>}
        <span className="quiet probe-more">{[name, ...line.details].join(" · ")}</span>
      </p>
    </div>
  );
}

interface ReadoutProps {
  readonly probe: Probe;
  readonly lineCount: number;
  readonly children: ReactNode;
}

/** Placed on the side of the point that has room. */
function Readout({ probe, lineCount, children }: ReadoutProps): ReactNode {
  const [area, setArea] = useState<HTMLElement | null>(null);
  const { xPx, yPx } = probe.pointer;
  const heightPx = 88 + lineCount * 44;
  const widthPx = area?.clientWidth ?? 0;
  const left = xPx + 20 + readoutWidthPx > widthPx ? xPx - 20 - readoutWidthPx : xPx + 20;
  const top = yPx + 16 + heightPx > (area?.clientHeight ?? 0) ? yPx - 16 - heightPx : yPx + 16;
  return (
    <div className="probe-layer-box" ref={setArea} aria-hidden="true">
      <div
        className="probe"
        style={{
          width: readoutWidthPx,
          transform: `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`,
        }}
      >
        {children}
      </div>
    </div>
  );
}

function useSpokenProbe(probe: Probe | undefined): string {
  const { store } = useViewer();
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    if (probe?.pointer.source !== "crosshair") return undefined;
    const timer = setTimeout(() => {
      const { history, hailUnits } = store.getState();
      const known = knownLayersOf(history.revisions);
      const sentences = probe.readings.map((reading) =>
        spokenProbe(
          known.find((layer) => layer.id === reading.id)?.label ?? layerShortNames[reading.id],
          toProbeLine(reading, hailUnits),
        ),
      );
      setSpoken([...sentences, coordinate(...probe.pointer.coordinate)].join(" "));
    }, restMs);
    return () => {
      clearTimeout(timer);
    };
  }, [probe, store]);
  return probe?.pointer.source === "crosshair" ? spoken : "";
}
