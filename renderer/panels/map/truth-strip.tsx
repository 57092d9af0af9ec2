// What the picture on screen is, always in view: when it was observed, when published, which revision, how old. Below it,
// quietly, whatever else must be known: the past, what arrived since, what is loading or missing.
import type { ReactNode } from "react";
import { natureOf, type EventNature } from "../../../shared/revisions/event-origin.ts";
import { duration, localIsUtc, localMinute, publicationDelay, utcClock, utcDay } from "../../text/format.ts";
import { staleAfterMs } from "../../platform/viewer-limits.ts";
import { publicationsOf, type Revision } from "../../state/revisions.ts";
import {
  isLiveEvent,
  selectDrawn,
  selectIsLoadingPicture,
  selectIsPast,
  selectNewerCount,
  selectSelectedEvent,
  selectShownRevision,
} from "../../state/selectors.ts";
import { selectWantedSequence } from "../../state/playhead.ts";
import { layerShortNames, publicationWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { toPublishedMs, usePublished } from "../controls/use-published.ts";

export function TruthStrip(): ReactNode {
  const revision = useViewerState(selectShownRevision);
  return (
    <section className="truth" aria-label="What is shown">
      <dl className="truth-strip">
        <Observed revision={revision} />
        <Published revision={revision} />
        <RevisionNumber revision={revision} />
        <Age revision={revision} />
      </dl>
      <div className="truth-notes">
        <NatureNote />
        <PastNote />
        <PictureNotes revision={revision} />
        <MapProblemNote />
      </div>
    </section>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly detail?: string | undefined;
  readonly tone?: string | undefined;
}

function Fact({ name, value, detail, tone }: FactProps): ReactNode {
  return (
    <div className={`truth-fact truth-${name.toLowerCase()}`}>
      <dt>{name}</dt>
      <dd>
        <strong className={tone}>{value}</strong>
        {detail && <span className="quiet">{detail}</span>}
      </dd>
    </div>
  );
}

interface RevisionProps {
  readonly revision: Revision | undefined;
}

function Observed({ revision }: RevisionProps): ReactNode {
  const { timeZone } = useViewer();
  if (!revision) return <Fact name="Observed" value="—" />;
  const { observedMs } = revision;
  const local = localIsUtc(observedMs, timeZone) ? undefined : localMinute(observedMs, timeZone);
  return <Fact name="Observed" value={`${utcClock(observedMs)} UTC`} detail={local} />;
}

function Published({ revision }: RevisionProps): ReactNode {
  const publishedMs = toPublishedMs(usePublished(revision));
  if (!revision) return <Fact name="Published" value="—" />;
  if (typeof publishedMs !== "number") return <Fact name="Published" value={publishedMs} />;
  return (
    <Fact
      name="Published"
      value={`${utcClock(publishedMs)} UTC`}
      detail={publicationDelay(revision.observedMs, publishedMs)}
    />
  );
}

function RevisionNumber({ revision }: RevisionProps): ReactNode {
  const latest = useViewerState((state) => state.history.latestSequence);
  if (!revision) return <Fact name="Revision" value="—" />;
  const detail = revision.sequence === latest ? "newest" : `of ${latest ?? "…"}`;
  return <Fact name="Revision" value={String(revision.sequence)} detail={detail} />;
}

/** The age of a live picture, an alarm only where nothing newer is to be had; the date of a past one, which does not age. */
function Age({ revision }: RevisionProps): ReactNode {
  const live = useViewerState((state) => isLiveEvent(selectSelectedEvent(state)));
  const nowMs = useViewerState((state) => (live ? state.nowMs : 0));
  const past = useViewerState(selectIsPast);
  if (!revision) return <Fact name="Age" value="—" />;
  if (!live) return <Fact name="Date" value={utcDay(revision.observedMs)} />;
  const ageMs = nowMs - revision.observedMs;
  const tone = ageMs > staleAfterMs ? "late" : "good";
  // An age of hours or days leaves the day to be worked out.
  const day = utcDay(revision.observedMs);
  const detail = day === utcDay(nowMs) ? undefined : day;
  return <Fact name="Age" value={duration(ageMs)} detail={detail} tone={past ? undefined : tone} />;
}

const natureNotes: Readonly<Partial<Record<EventNature, string>>> = {
  synthetic: "Synthetic: these storms never happened",
  replay: "Replay of a past event, not live",
  "synthetic-replay": "Replay, not live, of a synthetic event: these storms never happened",
};

function NatureNote(): ReactNode {
  const event = useViewerState(selectSelectedEvent);
  const nature = event && natureOf(event);
  const words = nature && natureNotes[nature];
  return words && <p className={`note note-${nature}`}>{words}</p>;
}

function PastNote(): ReactNode {
  const { store } = useViewer();
  const past = useViewerState(selectIsPast);
  const newer = useViewerState(selectNewerCount);
  if (!past) return newer > 0 ? <p className="note">{newerWords(newer)}</p> : null;
  return (
    <p className="note">
      Looking at the past{newer > 0 && ` · ${newerWords(newer)}`}
      <button type="button" className="link" onClick={store.getState().pinNewest}>
        Back to newest
      </button>
    </p>
  );
}

function newerWords(count: number): string {
  return `${count} newer ${count === 1 ? "revision has" : "revisions have"} arrived`;
}

function PictureNotes({ revision }: RevisionProps): ReactNode {
  const loading = useViewerState(selectIsLoadingPicture);
  const drawn = useViewerState(selectDrawn);
  const wanted = useViewerState(selectWantedSequence);
  const publication = useViewerState((state) => {
    const index = revision ? state.history.revisions.indexOf(revision) : -1;
    const found = publicationsOf(state.history.revisions)[index];
    const superseded =
      found?.supersedes === undefined ? undefined : state.history.revisions[found.supersedes];
    return found && { kind: found.kind, late: found.late, superseded: superseded?.sequence };
  });
  return (
    <>
      {publication && publication.kind !== "new" && (
        <p className={publication.kind === "completion" ? "note" : "note note-late"}>
          {sentence(publicationWords(publication.kind, publication))}
        </p>
      )}
      {drawn?.failed.map((id) => (
        <p key={id} className="note note-bad">
          {layerShortNames[id]} failed to load
        </p>
      ))}
      {loading && drawn && wanted !== undefined && (
        <p className="note note-slow">Loading revision {wanted}…</p>
      )}
    </>
  );
}

/** The map's own trouble, beside a picture that is there all the same. */
function MapProblemNote(): ReactNode {
  const { store } = useViewer();
  const problem = useViewerState((state) => (selectDrawn(state) ? state.mapProblem : undefined));
  if (problem === undefined) return null;
  return (
    <p className="note note-bad">
      {problem}
      <button
        type="button"
        className="link"
        onClick={() => {
          store.getState().setMapProblem(undefined);
        }}
      >
        Dismiss
      </button>
    </p>
  );
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
