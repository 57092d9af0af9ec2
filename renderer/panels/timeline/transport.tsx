// Playback: play, step, speed, loop, and the button back to the newest frame.
import type { ReactNode } from "react";
import { speeds } from "../../state/playback.ts";
import { loopChoices, findLoopEnds } from "../../state/loop.ts";
import { inPlayOrder, toPlace, type PlayOrder } from "../../state/play-order.ts";
import { selectNewerCount } from "../../state/selectors.ts";
import { selectPinnedSequence, selectWantedSequence } from "../../state/playhead.ts";
import { counted } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { NextIcon, PauseIcon, PlayIcon, PreviousIcon } from "../controls/icons.tsx";
import { Segmented } from "../controls/segmented.tsx";

const speedOptions = speeds.map((speed) => ({
  value: speed,
  label: String(speed),
  name: `${counted(speed, "frame", "frames")} per second`,
}));

const loopOptions = loopChoices.map((value) => ({
  value,
  label: value === "all" ? "All" : `${value} min`,
  name: value === "all" ? "Loop all frames loaded" : `Loop the last ${value} minutes observed`,
}));

const orderOptions: readonly { value: PlayOrder; label: string; hint: string }[] = [
  { value: "observed", label: "Observed", hint: "By observed time, each time at its newest revision" },
  { value: "published", label: "As published", hint: "Every revision, by publication time" },
];

export function Transport(): ReactNode {
  const { store } = useViewer();
  const speed = useViewerState((state) => state.speed);
  const loop = useViewerState((state) => state.loop);
  const playOrder = useViewerState((state) => state.playOrder);
  const { setSpeed, setLoop, setPlayOrder } = store.getState();
  return (
    <div className="transport" role="group" aria-label="Transport">
      <div className="transport-buttons">
        <StepButton name="Previous revision" title="Previous frame (←)" count={-1} icon={<PreviousIcon />} />
        <PlayButton />
        <StepButton name="Next revision" title="Next frame (→)" count={1} icon={<NextIcon />} />
        <NewestButton />
      </div>
      <div className="transport-row">
        <span className="caption">Order</span>
        <Segmented legend="Play order" options={orderOptions} value={playOrder} onChange={setPlayOrder} />
      </div>
      <div className="transport-row">
        <span className="caption">Frames/s</span>
        <Segmented legend="Frames per second" options={speedOptions} value={speed} onChange={setSpeed} />
      </div>
      <div className="transport-row">
        <span className="caption">{typeof loop === "object" ? <LoopSpanWords /> : "Loop"}</span>
        <Segmented
          legend="Loop"
          options={loopOptions}
          value={typeof loop === "object" ? undefined : loop}
          onChange={setLoop}
        />
      </div>
    </div>
  );
}

/** `Loop 12–24` if its ends were dragged. */
function LoopSpanWords(): ReactNode {
  return useViewerState(({ history: { revisions }, loop }) => {
    const ends = findLoopEnds(revisions, loop);
    return ends ? `Loop ${revisions[ends.first]!.sequence}–${revisions[ends.last]!.sequence}` : "Loop";
  });
}

interface StepButtonProps {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  readonly icon: ReactNode;
}

function StepButton({ name, title, count, icon }: StepButtonProps): ReactNode {
  const { store } = useViewer();
  const atEnd = useViewerState((state) => {
    const { revisions } = state.history;
    const wanted = selectWantedSequence(state);
    const place = wanted === undefined ? undefined : toPlace(revisions, state.playOrder, wanted);
    return place === inPlayOrder(revisions, state.playOrder).at(count < 0 ? 0 : -1)?.sequence;
  });
  return (
    <button
      type="button"
      className="button square"
      aria-label={name}
      title={title}
      aria-disabled={atEnd}
      onClick={() => {
        store.getState().step(count);
      }}
    >
      {icon}
    </button>
  );
}

function PlayButton(): ReactNode {
  const { store } = useViewer();
  const playing = useViewerState(({ playhead }) => playhead.mode === "held" && playhead.playing);
  const canPlay = useViewerState((state) => state.history.revisions.length > 1);
  const { play, pause } = store.getState();
  return (
    <button
      type="button"
      className="button primary"
      aria-label={playing ? "Pause" : "Play"}
      title={playing ? "Pause (Space)" : "Play (Space)"}
      aria-disabled={!canPlay}
      onClick={playing ? pause : play}
    >
      {playing ? <PauseIcon /> : <PlayIcon />}
    </button>
  );
}

/** Its badge counts the frames that arrived since the person stepped away. */
function NewestButton(): ReactNode {
  const { store } = useViewer();
  const hasNewest = useViewerState((state) => selectPinnedSequence(state) !== undefined);
  const following = useViewerState((state) => state.playhead.mode === "pinned") && hasNewest;
  const newer = useViewerState(selectNewerCount);
  return (
    <button
      type="button"
      className={following ? "button newest following" : "button newest"}
      aria-label="Newest revision"
      title="Show the newest frame and follow it (N)"
      aria-disabled={!hasNewest}
      onClick={store.getState().pinNewest}
    >
      {newer > 0 && (
        <span className="badge" aria-hidden="true">
          {newer}
        </span>
      )}
      <span>Newest</span>
    </button>
  );
}
