// Play, step, speed, loop, and the way back to the newest.
import type { ReactNode } from "react";
import { loopChoices, speeds, type LoopChoice } from "../state/playback.ts";
import {
  publicationsOf,
  selectNewerCount,
  selectPinnedSequence,
  selectWantedSequence,
} from "../state/selectors.ts";
import { useViewer, useViewerState } from "../viewer-context.ts";
import { NextIcon, PauseIcon, PlayIcon, PreviousIcon } from "./icons.tsx";
import { Segmented } from "./segmented.tsx";

const speedOptions = speeds.map((speed) => ({
  value: speed,
  label: String(speed),
  name: `${speed} ${speed === 1 ? "revision" : "revisions"} a second`,
}));

const loopOptions = loopChoices.map((loop) => ({
  value: loop,
  label: loopLabel(loop),
  name: loopName(loop),
}));

function loopLabel(loop: LoopChoice): string {
  return loop === "all" ? "All" : `${loop} min`;
}

function loopName(loop: LoopChoice): string {
  return loop === "all" ? "Loop over all revisions held" : `Loop over the last ${loop} minutes observed`;
}

export function Transport(): ReactNode {
  const { store } = useViewer();
  const playing = useViewerState(({ playhead }) => playhead.mode === "held" && playhead.playing);
  const count = useViewerState((state) => state.history.revisions.length);
  const pinned = useViewerState((state) => state.playhead.mode === "pinned");
  const hasNewest = useViewerState((state) => selectPinnedSequence(state) !== undefined);
  const newer = useViewerState(selectNewerCount);
  const speed = useViewerState((state) => state.speed);
  const loop = useViewerState((state) => state.loop);
  const atFirst = useViewerState(
    (state) => selectWantedSequence(state) === state.history.revisions[0]?.sequence,
  );
  const atLast = useViewerState(
    (state) => selectWantedSequence(state) === state.history.revisions.at(-1)?.sequence,
  );
  const { step, play, pause, pinNewest, setSpeed, setLoop } = store.getState();
  return (
    <div className="transport" role="group" aria-label="Transport">
      <div className="transport-buttons">
        <button
          type="button"
          className="button square"
          aria-label="Previous revision"
          title="Previous revision (←)"
          aria-disabled={count === 0 || atFirst}
          onClick={() => {
            step(-1);
          }}
        >
          <PreviousIcon />
        </button>
        <button
          type="button"
          className="button primary"
          aria-label={playing ? "Pause" : "Play"}
          title={playing ? "Pause (Space)" : "Play (Space)"}
          aria-disabled={count < 2}
          onClick={playing ? pause : play}
        >
          {playing ? <PauseIcon /> : <PlayIcon />}
        </button>
        <button
          type="button"
          className="button square"
          aria-label="Next revision"
          title="Next revision (→)"
          aria-disabled={count === 0 || atLast}
          onClick={() => {
            step(1);
          }}
        >
          <NextIcon />
        </button>
        <button
          type="button"
          className={pinned && hasNewest ? "button newest following" : "button newest"}
          aria-label="Newest revision"
          title="Show the newest revision and follow it (N)"
          aria-disabled={!hasNewest}
          onClick={pinNewest}
        >
          {newer > 0 && (
            <span className="badge" aria-hidden="true">
              {newer}
            </span>
          )}
          <span>Newest</span>
        </button>
      </div>
      <div className="transport-row">
        <span className="caption">Per second</span>
        <Segmented legend="Revisions a second" options={speedOptions} value={speed} onChange={setSpeed} />
      </div>
      <div className="transport-row">
        <span className="caption">Loop</span>
        <Segmented legend="Loop" options={loopOptions} value={loop} onChange={setLoop} />
      </div>
      <TransportNote />
    </div>
  );
}

/** One line that says what playback does or what the timeline holds. */
function TransportNote(): ReactNode {
  const buffering = useViewerState((state) => state.buffering);
  const late = useViewerState(
    (state) => publicationsOf(state.history.revisions).filter((entry) => entry.kind === "correction").length,
  );
  if (buffering) return <p className="transport-note quiet">Waiting for the next picture…</p>;
  if (late === 0) return <p className="transport-note" />;
  return (
    <p className="transport-note late">
      {late} {late === 1 ? "correction" : "corrections"} on the timeline
    </p>
  );
}
