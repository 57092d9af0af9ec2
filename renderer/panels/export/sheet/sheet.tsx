// The words over the map of a picture: the facts of the truth strip, notes, legends, scale, credits and disclosure,
// by the components of the screen. `sheet.css` leaves out their controls.
import { Fragment, type CSSProperties, type ReactNode } from "react";
import { natureOf, splitLabel } from "../../../../shared/revisions/event-origin.ts";
import { selectComparison } from "../../../state/change/change-scene.ts";
import {
  knownLayersOf,
  selectSelectedEvent,
  selectShownRevision,
  toLayerViews,
} from "../../../state/selectors.ts";
import type { SheetIncludes } from "../../../state/slices/export-slice.ts";
import { selectDrawnSoFar } from "../../../state/so-far/so-far.ts";
import { basemapCredits, gapSpan, revisionPlace } from "../../../text/export-text.ts";
import { overlayCredits } from "../../../text/overlay-text.ts";
import { layerShortNames } from "../../../text/state-text.ts";
import { soFarNames, toSoFarLegend } from "../../../text/so-far-text.ts";
import { motionNote } from "../../../text/tool-text.ts";
import {
  useIsSideBySide,
  useViewer,
  useViewerState,
  ViewerContext,
  type Viewer,
} from "../../../viewer-context.ts";
import { ChangeSteps } from "../../change/change-legend.tsx";
import { SwipeLabels } from "../../change/swipe-line.tsx";
import { LayerLegend } from "../../layers/layer-legend.tsx";
import { LegendStrip } from "../../layers/legend-strip.tsx";
import { MapScale } from "../../map/map-scale.tsx";
import {
  ColorsNote,
  Fact,
  FailedNotes,
  NatureNote,
  ObservedFact,
  PublicationNote,
  PublishedFact,
  ReplacedNote,
  SinceOnset,
  VersionFact,
} from "../../map/truth-strip.tsx";
import { LockNotes } from "../../panes/lock-notes.tsx";
import { SoFarNote } from "../../so-far/so-far-note.tsx";
import { MapKnownAtBanner } from "../../timeline/known-at/known-at-banner.tsx";
import { useKnownAt } from "../../timeline/known-at/use-known-at.ts";

/** The words of one map, at its place on the sheet in CSS pixels. */
export interface SheetPart {
  /** Its store has the state that the words are about, and never changes. */
  readonly viewer: Viewer;
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Height of what is below the map and is covered by legends and credits; 0 if they lie on the map. */
  readonly footPx: number;
  /** The span of time that has no revision, if this is about one. */
  readonly gap?: { readonly fromMs: number; readonly toMs: number } | undefined;
}

export interface SheetProps {
  readonly parts: readonly SheetPart[];
  readonly includes: SheetIncludes;
  readonly theme: string;
}

/** Width of a legend in CSS pixels, by the number of maps in the picture. */
function toLegendPx(parts: number): number {
  if (parts === 1) return 190;
  return parts === 2 ? 150 : 110;
}

export function Sheet({ parts, includes, theme }: SheetProps): ReactNode {
  return (
    <div className="sheet" data-theme={theme} data-panes={parts.length}>
      {parts.map((part) => (
        <ViewerContext key={part.viewer.letter} value={part.viewer}>
          <PartWords
            part={part}
            legendPx={includes.legend ? toLegendPx(parts.length) : undefined}
            // Once for all maps.
            hasGroundCredits={includes.ground && part === parts[0]}
          />
        </ViewerContext>
      ))}
    </div>
  );
}

interface FootProps {
  /** Undefined leaves the legends out. */
  readonly legendPx: number | undefined;
  readonly hasGroundCredits: boolean;
}

function PartWords({ part, ...foot }: FootProps & { readonly part: SheetPart }): ReactNode {
  const event = useViewerState(selectSelectedEvent);
  const { leftPx: left, topPx: top, widthPx: width, heightPx: height, footPx, gap } = part;
  return (
    <section
      className="sheet-part map-area"
      data-nature={event && natureOf(event)}
      style={{ left, top, width, height } satisfies CSSProperties}
    >
      <Head gap={gap} />
      {!gap && <SwipeLabels />}
      {gap && <Gap gap={gap} />}
      <Foot footPx={footPx} {...foot} />
    </section>
  );
}

function Head({ gap }: Pick<SheetPart, "gap">): ReactNode {
  const { letter } = useViewer();
  const event = useViewerState(selectSelectedEvent);
  const revision = useViewerState(selectShownRevision);
  const latest = useViewerState((state) => state.history.latestSequence);
  const isSideBySide = useIsSideBySide();
  const knownAt = useKnownAt();
  const shown = gap ? undefined : revision;
  return (
    <header className="sheet-head">
      <dl className="truth-strip">
        <Fact
          kind="event"
          name={isSideBySide ? letter : "Event"}
          value={splitLabel(event?.label ?? "").name}
        />
        {shown && (
          <>
            <ObservedFact revision={shown} />
            {knownAt?.age && <Fact kind="age-then" {...knownAt.age} />}
            <VersionFact revision={shown} place={revisionPlace(shown.sequence, latest)} />
            <PublishedFact revision={shown} />
            <SinceOnset revision={shown} />
          </>
        )}
      </dl>
      <div className="truth-notes">
        <NatureNote />
        <MapKnownAtBanner />
        <MotionNote />
        {shown && (
          <>
            <SoFarNote />
            <ColorsNote />
            {isSideBySide && <LockNotes />}
            <ReplacedNote revision={shown} />
            <PublicationNote revision={shown} />
            <FailedNotes />
          </>
        )}
      </div>
    </header>
  );
}

function MotionNote(): ReactNode {
  const words = useViewerState(motionNote);
  return words !== "" && <p className="note">{words}</p>;
}

function Gap({ gap }: { readonly gap: NonNullable<SheetPart["gap"]> }): ReactNode {
  return (
    <div className="sheet-gap">
      <strong>No frame</strong>
      <span>{gapSpan(gap)}</span>
    </div>
  );
}

function Foot({ legendPx, hasGroundCredits, footPx }: FootProps & Pick<SheetPart, "footPx">): ReactNode {
  const attribution = useViewerState((state) => state.history.attribution);
  const disclosure = useViewerState((state) => state.history.disclosure);
  const overlays = useViewerState(overlayCredits);
  const credits = [attribution, overlays, ...(hasGroundCredits ? [basemapCredits] : [])];
  return (
    <footer className="sheet-foot" style={{ minHeight: footPx }}>
      <MapScale />
      {legendPx !== undefined && <Legends widthPx={legendPx} />}
      <div className="sheet-words">
        <p className="disclosure">{disclosure}</p>
        <p className="attribution">{credits.filter((part) => part !== "").join(" · ")}</p>
      </div>
    </footer>
  );
}

function Legends({ widthPx }: { readonly widthPx: number }): ReactNode {
  const known = useViewerState((state) => knownLayersOf(state.history.revisions));
  const revision = useViewerState(selectShownRevision);
  const preferences = useViewerState((state) => state.layerPreferences);
  const comparison = useViewerState(selectComparison);
  const soFar = useViewerState(selectDrawnSoFar);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const views = toLayerViews(known, revision, preferences).filter(({ visible }) => visible);
  const product = soFar?.soFar.product;
  return (
    <div className="sheet-legends">
      {product && (
        <div className="pane-legend" style={{ width: widthPx }}>
          <p className="caption">{soFarNames[product]}</p>
          <LegendStrip
            label={soFarNames[product]}
            entries={toSoFarLegend(product, hailUnits, soFar.facts?.classes)}
            mark={undefined}
            widthPx={widthPx}
          />
        </div>
      )}
      {views.map((view) => (
        <Fragment key={view.layer.id}>
          <LayerLegend view={view} widthPx={widthPx} />
          {comparison?.shown.id === view.layer.id && (
            <div className="pane-legend" style={{ width: widthPx }}>
              <p className="caption">{layerShortNames[view.layer.id]} changed</p>
              <ChangeSteps unit={view.layer.unit} />
            </div>
          )}
        </Fragment>
      ))}
      <p className="coverage-key caption">
        <span className="coverage-mark" />
        Outside radar coverage
      </p>
    </div>
  );
}
