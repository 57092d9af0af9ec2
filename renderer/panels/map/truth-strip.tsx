// The facts about the picture on screen, always in view: observation time, age, version, publication time. Notes
// below them: earlier or newer frames, corrections, what is loading or missing.
import type { ReactNode } from "react";
import { useShallow } from "zustand/react/shallow";
import { natureNotes, natureOf } from "../../../shared/revisions/event-origin.ts";
import { staleAfterMs } from "../../platform/viewer-limits.ts";
import { selectWantedSequence } from "../../state/timeline/playhead.ts";
import { publicationsOf, type Revision } from "../../state/timeline/revisions.ts";
import {
  isLiveEvent,
  selectDrawn,
  selectIsLoadingPicture,
  selectIsPast,
  selectNewerCount,
  selectSelectedEvent,
  selectShownRevision,
} from "../../state/selectors.ts";
import { clockDay, clockMinute, counted, duration, otherTime, timeWithZone } from "../../text/format.ts";
import { layerShortNames, publicationWords, standingWords } from "../../text/state-text.ts";
import { sinceOnset } from "../../text/pane-text.ts";
import {
  useIsShow,
  useIsSideBySide,
  usePaneName,
  usePanes,
  useViewer,
  useViewerState,
} from "../../viewer-context.ts";
import { selectOtherVersion, toStanding } from "../../state/timeline/standing.ts";
import { Button } from "../controls/button.tsx";
import { LockNotes } from "../panes/lock-notes.tsx";
import { usePublished } from "../hooks/use-published.ts";
import { colorsWords } from "../../text/color-text.ts";
import { MapKnownAtBanner } from "../timeline/known-at/known-at-banner.tsx";
import { useKnownAt } from "../timeline/known-at/use-known-at.ts";
import { SoFarNote } from "../so-far/so-far-note.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";

export function TruthStrip(): ReactNode {
  const revision = useViewerState(selectShownRevision);
  const name = usePaneName("What is shown");
  const isShow = useIsShow();
  return (
    <section className="truth" aria-label={name}>
      <dl className="truth-strip" data-empty={revision === undefined}>
        {revision ? (
          <Facts revision={revision} />
        ) : (
          ["Observed", "Age", "Version", "Published"].map((name) => <Fact key={name} name={name} value="—" />)
        )}
      </dl>
      {isShow ? (
        <div className="truth-notes">
          <NatureNote />
        </div>
      ) : (
        <TruthNotes revision={revision} />
      )}
    </section>
  );
}

function TruthNotes({ revision }: { readonly revision: Revision | undefined }): ReactNode {
  const isSideBySide = useIsSideBySide();
  return (
    <div className="truth-notes">
      <MapKnownAtBanner />
      <SoFarNote />
      <NatureNote />
      <ColorsNote />
      {isSideBySide ? <LockNotes /> : <PastNote />}
      {revision && <ReplacedNote revision={revision} />}
      {revision && <PublicationNote revision={revision} />}
      <PictureNotes />
      <MapProblemNote />
    </div>
  );
}

interface FactProps {
  /** Part of the class name; the first word of the name by default. */
  readonly kind?: string;
  readonly name: string;
  readonly value: string;
  readonly detail?: string | undefined;
  readonly tone?: string | undefined;
}

export function Fact({
  name,
  value,
  detail,
  tone,
  kind = name.split(" ")[0]!.toLowerCase(),
}: FactProps): ReactNode {
  return (
    <div className={`truth-fact truth-${kind}`}>
      <dt>{name}</dt>
      <dd>
        <strong className={tone}>{value}</strong>
        {detail && <span className="quiet">{detail}</span>}
      </dd>
    </div>
  );
}

interface RevisionProps {
  readonly revision: Revision;
}

function Facts({ revision }: RevisionProps): ReactNode {
  const isLive = useViewerState((state) => isLiveEvent(selectSelectedEvent(state)));
  const knownAt = useKnownAt();
  return (
    <>
      <ObservedFact revision={revision} />
      {!knownAt && isLive && <Age observedMs={revision.observedMs} />}
      {knownAt?.age && <Fact kind="age-then" {...knownAt.age} />}
      <VersionFact revision={revision} place={`revision ${revision.sequence}`} />
      <PublishedFact revision={revision} />
      <SinceOnset revision={revision} />
    </>
  );
}

export function ObservedFact({ revision: { observedMs } }: RevisionProps): ReactNode {
  return (
    <Fact
      name="Observed"
      value={timeWithZone(observedMs)}
      detail={[clockDay(observedMs), otherTime(observedMs)].filter(Boolean).join(" · ")}
    />
  );
}

/** `place` is the revision's number in words. */
export function VersionFact({ revision, place }: RevisionProps & { readonly place: string }): ReactNode {
  const standing = useViewerState(useShallow((state) => toStanding(state, revision)));
  return (
    <Fact
      name="Version"
      value={standingWords(standing)}
      tone={standing.isCorrectedLater ? "warning" : undefined}
      detail={place}
    />
  );
}

export function PublishedFact({ revision }: RevisionProps): ReactNode {
  const published = usePublished(revision);
  const isLive = useViewerState((state) => isLiveEvent(selectSelectedEvent(state)));
  return <Fact name={isLive ? "Published" : "Added here"} value={published.time} detail={published.delay} />;
}

/** Minutes since the onset of the pane's storm, while panes are locked by it. */
export function SinceOnset({ revision }: RevisionProps): ReactNode {
  const { letter } = useViewer();
  const onset = usePanes(({ lock, count, onsets }) =>
    lock === "onset" && count > 1 ? onsets[letter] : undefined,
  );
  const words = sinceOnset(revision, onset);
  if (words === undefined || onset?.kind !== "found") return null;
  return <Fact name="Onset" value={words} detail={clockMinute(onset.observedMs)} />;
}

/** The age of a live picture, a warning only if it is the newest. */
function Age({ observedMs }: { readonly observedMs: number }): ReactNode {
  const nowMs = useViewerState((state) => state.nowMs);
  const isPast = useViewerState(selectIsPast);
  const ageMs = nowMs - observedMs;
  const tone = ageMs > staleAfterMs ? "warning" : "good";
  return <Fact name="Age" value={duration(ageMs)} tone={isPast ? undefined : tone} />;
}

export function NatureNote(): ReactNode {
  const event = useViewerState(selectSelectedEvent);
  const nature = event && natureOf(event);
  const words = nature && natureNotes[nature];
  return words && <p className={`note note-${nature}`}>{words}</p>;
}

/** The colors of the picture, if they are not those that every picture has. */
export function ColorsNote(): ReactNode {
  const words = useViewerState(colorsWords);
  return words !== "" && <p className="note note-colors">{words}</p>;
}

function PastNote(): ReactNode {
  const { store } = useViewer();
  const isPast = useViewerState(selectIsPast);
  const newer = useViewerState(selectNewerCount);
  const isNow = useViewerState((state) => state.knownAt === undefined);
  const newerWords = newer > 0 ? `${counted(newer, "newer frame", "newer frames")} available` : undefined;
  if (!isNow) return null;
  if (!isPast) return newerWords && <p className="note">{newerWords}</p>;
  return (
    <p className="note">
      {["Viewing an earlier frame", newerWords].filter(Boolean).join(" · ")}
      <Button className="link" onPress={store.getState().pinNewest}>
        Back to newest
      </Button>
    </p>
  );
}

/** A note that the picture has been replaced, with the way to its newest version. */
export function ReplacedNote({ revision }: RevisionProps): ReactNode {
  const { replacedBy, isCorrectedLater } = useViewerState(useShallow((state) => toStanding(state, revision)));
  const { time, publishedMs } = usePublished(replacedBy);
  if (!replacedBy) return null;
  const what = isCorrectedLater ? "Corrected" : "Completed";
  return (
    <p className="note note-warning">
      {publishedMs === undefined ? `${what} later` : `${what} later, published ${time}`}
      <FlipButton to={replacedBy} />
    </p>
  );
}

/** Shows another version of the picture, as its key does. */
function FlipButton({ to }: { readonly to: Revision }): ReactNode {
  const { store } = useViewer();
  const { after } = useShortcut("flip");
  return (
    <Button
      className="link"
      onPress={() => {
        store.getState().flipTo(to.sequence);
      }}
    >
      {after(`Show revision ${to.sequence}`)}
    </Button>
  );
}

/** A note that the picture corrects or completes another one, or fills in an older frame. */
export function PublicationNote({ revision }: RevisionProps): ReactNode {
  const revisions = useViewerState((state) => state.history.all);
  const publication = publicationsOf(revisions)[revisions.indexOf(revision)];
  const isReplaced = useViewerState((state) => toStanding(state, revision).replacedBy !== undefined);
  const other = useViewerState(selectOtherVersion);
  if (!publication || publication.kind === "new") return null;
  return (
    <p className={publication.kind === "completion" ? "note" : "note note-warning"}>
      {publicationWords(publication, revision, revisions[publication.supersedes ?? -1])}
      {!isReplaced && other && <FlipButton to={other} />}
    </p>
  );
}

function PictureNotes(): ReactNode {
  const isLoading = useViewerState(selectIsLoadingPicture);
  const drawn = useViewerState(selectDrawn);
  const wanted = useViewerState(selectWantedSequence);
  return (
    <>
      <FailedNotes />
      {isLoading && drawn && wanted !== undefined && (
        <p className="note note-slow">Loading revision {wanted}…</p>
      )}
    </>
  );
}

export function FailedNotes(): ReactNode {
  const drawn = useViewerState(selectDrawn);
  return drawn?.failed.map((id) => (
    <p key={id} className="note note-bad">
      {layerShortNames[id]} failed to load
    </p>
  ));
}

/** A problem of the map itself, next to a picture. */
function MapProblemNote(): ReactNode {
  const { store } = useViewer();
  const problem = useViewerState((state) => (selectDrawn(state) ? state.mapProblem : undefined));
  if (problem === undefined) return null;
  return (
    <p className="note note-bad">
      {problem}
      <Button
        className="link"
        onPress={() => {
          store.getState().setMapProblem(undefined);
        }}
      >
        Dismiss
      </Button>
    </p>
  );
}
