// The probe: readings of the layers beside the pointer, the crosshair or the pinned point. Readings of a resting
// crosshair are also spoken.
import { Suspense, useEffect, useState, type CSSProperties, type ReactNode } from "react";
import { placeInNotation, spokenPlace } from "../../text/coordinate-text.ts";
import { spokenProbe, toProbeLine, type ProbeLine, type ProbeTone } from "../../text/probe-text.ts";
import { isSamePoint, type Probe } from "../../state/slices/picture-slice.ts";
import { selectChangePair } from "../../state/change/change-pair.ts";
import { selectComparison } from "../../state/change/change-scene.ts";
import { knownLayersOf } from "../../state/selectors.ts";
import { selectDrawnSoFar, soFarOverlay } from "../../state/so-far/so-far.ts";
import { soFarNames } from "../../text/so-far-text.ts";
import { spokenShapes } from "../../text/overlay-text.ts";
import { layerShortNames } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import {
  ChangeReadingLines,
  spokenComparison,
  toComparedLines,
  type ComparedLines,
} from "../change/change-reading.tsx";
import { Button } from "../controls/button.tsx";
import { CloseIcon, PlaceIcon } from "../controls/icons.tsx";
import { useSoFarReading } from "../so-far/use-so-far-reading.ts";
import { pinHere } from "../story/pin-here.ts";
import { CopyPlace } from "../tools/copy-place.tsx";
import { ProbePlace } from "./probe-place.tsx";
import { ProbeShapes } from "./probe-shapes.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";

/** Time that the crosshair rests before its reading is spoken. */
const restMs = 500;
/** Distance between the point and its reading: a hail core of some pixels stays in view. */
const besidePx = 44;
/** With less room on either side the reading stands above or below the point. */
const leastWidthPx = 260;
const edgePx = 8;
/** Height of a reading in a narrow map, where its lines wrap. */
const highestPx = 88;
/** In a map as low as one of four panes the reading stands in the lower corner that is farther from the point. */
const lowMapPx = 200;

export function ProbeReadout(): ReactNode {
  const { map, store } = useViewer();
  const probe = useViewerState((state) => state.picture.probe);
  const pin = useViewerState((state) => state.picture.pin);
  const hasLayers = useViewerState((state) => knownLayersOf(state.history.revisions).length > 0);
  const { after } = useShortcut("pin-place");
  const [area, setArea] = useState<HTMLElement | null>(null);
  const spoken = useSpokenProbe(probe);
  const isOnPin = probe && pin && isSamePoint(probe.pointer, pin.pointer);
  return (
    <>
      <p className="unseen" aria-live="polite">
        {spoken}
      </p>
      {map.find() && hasLayers && (
        <div className="probe-layer-box" ref={setArea}>
          {probe && !isOnPin && (
            <Readout probe={probe} area={area}>
              <Reading probe={probe} />
            </Readout>
          )}
          {pin && (
            <Readout probe={pin} area={area}>
              <Reading probe={pin} />
              <Button
                className="icon-button tiny"
                name={after("Pin this place: its story")}
                onPress={() => {
                  void pinHere({ store }, pin.pointer.coordinate);
                }}
              >
                <PlaceIcon />
              </Button>
              <CopyPlace coordinate={pin.pointer.coordinate} />
              <Button className="icon-button tiny" name="Unpin (Esc)" onPress={store.getState().unpin}>
                <CloseIcon />
              </Button>
            </Readout>
          )}
        </div>
      )}
    </>
  );
}

/**
 * Two lines: the layers' classes, and the place; below them the overlays. The pointer's are spoken elsewhere, and only
 * the crosshair's.
 */
function Reading({ probe }: { readonly probe: Probe }): ReactNode {
  const hailUnits = useViewerState((state) => state.hailUnits);
  const notation = useViewerState((state) => state.cursorNotation);
  const compared = useComparedLines(probe);
  const lines = probe.readings.map((reading) => ({
    id: reading.id,
    line: toProbeLine(reading, hailUnits),
  }));
  const soFar = useSoFarReading(probe);
  const [first] = lines;
  const areAlike = lines.length > 1 && lines.every(({ line }) => line.primary === first!.line.primary);
  return (
    <div className="probe-lines">
      {soFar && (
        <p className="probe-values probe-so-far">
          <ProbeValue line={soFar.line} />
          <span className="quiet">{soFar.words}</span>
        </p>
      )}
      {compared ? (
        <ChangeReadingLines lines={compared} />
      ) : (
        <p className="probe-values">
          {areAlike ? (
            <ProbeValue line={first!.line} />
          ) : (
            lines.map(({ id, line }) => <ProbeValue key={id} name={layerShortNames[id]} line={line} />)
          )}
          {lines.length === 0 && <span className="quiet">All layers are hidden</span>}
        </p>
      )}
      <p className="probe-where quiet">
        <Suspense>
          <ProbePlace coordinate={probe.pointer.coordinate} />
        </Suspense>
        {placeInNotation(probe.pointer.coordinate, notation)}
        {[...lines, ...(soFar ? [soFar] : [])].some(({ line }) => line.isEstimate) && " · estimate"}
      </p>
      <ProbeShapes probe={probe} />
    </div>
  );
}

function useComparedLines(probe: Probe): ComparedLines | undefined {
  const { store } = useViewer();
  // The lines follow from these and the probe.
  useViewerState((state) => [
    selectComparison(state),
    state.palette,
    state.ownTables,
    state.theme,
    state.hailUnits,
  ]);
  return toComparedLines(store.getState(), probe);
}

/** Tones whose words do not say which layer they are about. */
const nameless: ReadonlySet<ProbeTone> = new Set([
  "no-coverage",
  "not-received",
  "failed",
  "unknown",
  "loading",
]);

function ProbeValue({ name, line }: { readonly name?: string; readonly line: ProbeLine }): ReactNode {
  return (
    <span className={`probe-value probe-${line.tone === "value" ? "class" : line.tone}`}>
      <span
        className="probe-swatch"
        style={line.color === undefined ? undefined : { backgroundColor: line.color }}
        aria-hidden="true"
      />
      {name !== undefined && nameless.has(line.tone) && <span className="quiet">{name}:</span>}
      <strong>{line.primary}</strong>
      {line.details.length > 0 && <span className="quiet">{line.details.join(" · ")}</span>}
    </span>
  );
}

interface ReadoutProps {
  readonly probe: Probe;
  readonly area: HTMLElement | null;
  readonly children: ReactNode;
}

/** Stands beside the point, on the side with more room, and is joined to it by a line: the core stays in view. */
function Readout({ probe, area, children }: ReadoutProps): ReactNode {
  const { xPx, yPx, source } = probe.pointer;
  const isPin = source === "pin";
  const widthPx = area?.clientWidth ?? 0;
  const heightPx = area?.clientHeight ?? 0;
  const isInView = xPx >= 0 && yPx >= 0 && xPx <= widthPx && yPx <= heightPx;
  const isLeft = xPx > widthPx / 2;
  const roomPx = (isLeft ? xPx : widthPx - xPx) - besidePx - edgePx;
  const isLow = heightPx < lowMapPx;
  const isBeside = roomPx >= leastWidthPx && !isLow;
  const isAbove = heightPx - yPx < besidePx + highestPx;
  const across = isBeside
    ? { [isLeft ? "right" : "left"]: (isLeft ? widthPx - xPx : xPx) + besidePx, maxWidth: roomPx }
    : { [isLeft || !isLow ? "left" : "right"]: edgePx, maxWidth: widthPx - 2 * edgePx };
  const down = isLow
    ? { bottom: edgePx }
    : isBeside
      ? toLevel(yPx, heightPx)
      : { [isAbove ? "bottom" : "top"]: (isAbove ? heightPx - yPx : yPx) + besidePx };
  return (
    <div hidden={!isInView}>
      {isPin && <span className="probe-pin" style={{ left: xPx, top: yPx }} aria-hidden="true" />}
      {isBeside && (
        <span
          className="probe-line"
          style={{ left: isLeft ? xPx - besidePx : xPx + pinRadiusPx, top: yPx }}
          aria-hidden="true"
        />
      )}
      <div
        className={isPin ? "probe pinned" : "probe"}
        role={isPin ? "group" : undefined}
        aria-label={isPin ? "Pinned reading" : undefined}
        aria-hidden={isPin ? undefined : "true"}
        style={{ ...across, ...down }}
      >
        {children}
      </div>
    </div>
  );
}

/** Centers the reading on its point, or keeps it in view at an edge of the map. */
function toLevel(yPx: number, heightPx: number): CSSProperties {
  if (yPx < edgePx + highestPx / 2) return { top: edgePx };
  if (heightPx - yPx < edgePx + highestPx / 2) return { bottom: edgePx };
  return { top: yPx, translate: "0 -50%" };
}

/** Half the ring of a pin. */
const pinRadiusPx = 7;

function useSpokenProbe(probe: Probe | undefined): string {
  const { store } = useViewer();
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    if (probe?.pointer.source !== "crosshair") return undefined;
    const timer = setTimeout(() => {
      const state = store.getState();
      const { history, hailUnits, cursorNotation } = state;
      const place = spokenPlace(placeInNotation(probe.pointer.coordinate, cursorNotation));
      const known = knownLayersOf(history.revisions);
      const made = selectDrawnSoFar(store.getState());
      const soFar = probe.overlays.find(({ id }) => id === soFarOverlay);
      const largest =
        made && soFar
          ? [
              spokenProbe(
                soFarNames[made.soFar.product],
                toProbeLine({ frame: undefined, ...soFar, id: made.soFar.product }, hailUnits),
              ),
            ]
          : [];
      const compared = toComparedLines(state, probe);
      const pair = selectChangePair(state);
      const sentences =
        compared && pair
          ? [spokenComparison(compared, pair)]
          : probe.readings.map((reading) =>
              spokenProbe(
                known.find((layer) => layer.id === reading.id)?.label ?? layerShortNames[reading.id],
                toProbeLine(reading, hailUnits),
              ),
            );
      const shapes = spokenShapes(probe.shapes, state.overlays, hailUnits);
      setSpoken([...shapes, ...largest, ...sentences, place].join(" "));
    }, restMs);
    return () => {
      clearTimeout(timer);
    };
  }, [probe, store]);
  return probe?.pointer.source === "crosshair" ? spoken : "";
}
