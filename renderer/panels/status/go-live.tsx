// Going live: the button, and its flyout with the choice of a source, or with the state of the feed and a way to stop
// it.
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import type { FeedState } from "../../../shared/contract/feed-health.ts";
import { selectLiveFeed, selectMayGoLive } from "../../state/acting/live-status.ts";
import {
  liveAdvice,
  liveKinds,
  liveKindWords,
  noFrameWords,
  splitLiveSource,
  type LiveKind,
} from "../../text/live-text.ts";
import { feedStateWords, readOnlyWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton, ShowOnMapButton } from "../controls/button.tsx";
import { TextField } from "../controls/fields.tsx";
import { Flyout } from "../controls/flyout.tsx";

/** Green means live now, and nothing less. */
const healths: Readonly<Record<FeedState, "good" | "warning" | "bad" | "neutral">> = {
  starting: "neutral",
  current: "good",
  "catching-up": "good",
  "source-idle": "warning",
  "link-down": "bad",
  "processing-failed": "bad",
  stopped: "warning",
};

export function GoLive(): ReactNode {
  const isOn = useViewerState(({ live }) => live?.status === "on");
  const health = useViewerState((state) => healths[selectLiveFeed(state)?.state ?? "starting"]);
  const isOffered = useViewerState(selectMayGoLive);
  const readOnly = useViewerState(({ access }) => readOnlyWords[access]);
  if (!isOffered) return null;
  return (
    <Flyout
      id="live"
      title="Live feed"
      label={
        isOn ? (
          <>
            <span className={`dot dot-${health}`} aria-hidden="true" />
            Live
          </>
        ) : (
          "Go live"
        )
      }
      {...(isOn && { name: "Live: change or stop" })}
      buttonClass="button small live-button"
      panelClass="live-panel"
    >
      {readOnly && (
        <p className="read-only" role="note">
          {readOnly}
        </p>
      )}
      <KeepFocus key={String(isOn)}>{isOn ? <LiveNow /> : <ChooseSource />}</KeepFocus>
    </Flyout>
  );
}

/** Takes over the focus of a control that left the page with the previous content. */
function KeepFocus({ children }: { readonly children: ReactNode }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus();
  }, []);
  return (
    <div ref={box} className="live-content" tabIndex={-1}>
      {children}
    </div>
  );
}

function ChooseSource(): ReactNode {
  const { actions } = useViewer();
  const live = useViewerState((state) => state.live);
  const last = splitLiveSource(live?.source ?? "noaa");
  const [kind, setKind] = useState<LiveKind>(last.kind);
  const [place, setPlace] = useState(last.place);
  const [problem, setProblem] = useState<string>();
  const [isStarting, setStarting] = useState(false);
  const group = useId();
  const { placeName, placeHint } = liveKindWords[kind];
  const shownProblem = problem ?? live?.problem ?? undefined;

  async function start(): Promise<void> {
    setStarting(true);
    const source = kind === "noaa" ? kind : `${kind}:${place.trim()}`;
    setProblem(await actions.live.start(source));
    setStarting(false);
  }

  return (
    <form
      className="live-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (place.trim() !== "" || kind === "noaa") void start();
      }}
    >
      <fieldset className="live-sources">
        <legend>Follow</legend>
        {liveKinds.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={group}
              checked={each === kind}
              aria-describedby={`${group}-${each}`}
              onChange={() => {
                setKind(each);
                setProblem(undefined);
              }}
            />
            <span>{liveKindWords[each].name}</span>
            <span className="caption" id={`${group}-${each}`}>
              {liveKindWords[each].words}
            </span>
          </label>
        ))}
      </fieldset>
      {placeName !== undefined && (
        <TextField
          name={placeName}
          {...(placeHint !== undefined && { placeholder: placeHint })}
          value={place}
          isInvalid={problem !== undefined}
          describedBy={problem && `${group}-problem`}
          onChange={(text) => {
            setPlace(text);
            setProblem(undefined);
          }}
        />
      )}
      {shownProblem !== undefined && (
        <p className="bad" role="alert" id={`${group}-problem`}>
          {shownProblem}
        </p>
      )}
      <ActionButton
        className="button"
        unavailable={
          isStarting
            ? "Starting"
            : placeName !== undefined && place.trim() === ""
              ? `Enter the ${placeName.toLowerCase()} first`
              : undefined
        }
        onPress={() => void start()}
      >
        Start live
      </ActionButton>
    </form>
  );
}

function LiveNow(): ReactNode {
  const { actions } = useViewer();
  const live = useViewerState((state) => state.live);
  const feed = useViewerState(selectLiveFeed);
  const [problem, setProblem] = useState<string>();
  if (live?.status !== "on") return null;
  const { kind, place } = splitLiveSource(live.source ?? feed?.source ?? "noaa");
  const isDown = feed?.state === "link-down";
  const noFrame = feed && noFrameWords(feed);
  return (
    <>
      <h2>{liveKindWords[kind].name}</h2>
      {place !== "" && <p className="address">{place}</p>}
      {feed && (
        <p role="status" className={isDown ? "bad" : undefined}>
          {feed.linkProblem ?? feedStateWords[feed.state]}
        </p>
      )}
      {isDown && <p>{liveAdvice[kind]}</p>}
      {noFrame !== undefined && <p>{noFrame}</p>}
      {live.isConfigured ? (
        <p className="caption">Started on the command line with --feed; it ends there, too.</p>
      ) : (
        <p className="caption">Stays on when Echotop is closed and started again, until you stop it.</p>
      )}
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      <div className="button-row">
        <ShowOnMapButton eventId={live.eventId} />
        {!live.isConfigured && (
          <ActionButton onPress={() => void actions.live.stop().then(setProblem)}>Stop live</ActionButton>
        )}
      </div>
    </>
  );
}
