// Playback: play, step, speed, loop, order, and the button back to the newest frame; below, the key of the timeline.
import type { ReactNode } from "react";
import { speeds } from "../../../state/timeline/playback.ts";
import { findLoopEnds, loopChoices, type LoopChoice } from "../../../state/timeline/loop.ts";
import { inPlayOrder, toPlace, type PlayOrder } from "../../../state/timeline/play-order.ts";
import { selectNewerCount } from "../../../state/selectors.ts";
import { selectPinnedSequence, selectWantedSequence } from "../../../state/timeline/playhead.ts";
import type { ViewerState } from "../../../state/store.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { NextIcon, PauseIcon, PlayIcon, PreviousIcon } from "../../controls/icons.tsx";
import { CaptionedChoice, type SegmentOption } from "../../controls/segmented.tsx";
import { TimelineKey } from "./timeline-key.tsx";
import { useShortcut } from "../../hooks/use-shortcut.ts";
import { rowOf } from "../../../keyboard.ts";

/** Value of the option that stands for a loop whose ends were dragged. */
const draggedLoop = "dragged";

const orderOptions: readonly { value: PlayOrder; label: string; hint: string }[] = [
  { value: "observed", label: "Observed time", hint: "By observed time, each time at its newest revision" },
  { value: "published", label: "As published", hint: "Every revision, by publication time" },
];

export function Transport(): ReactNode {
  const { store } = useViewer();
  const playOrder = useViewerState((state) => state.playOrder);
  const { setPlayOrder } = store.getState();
  return (
    <div className="transport" role="group" aria-label="Transport">
      <div className="transport-buttons">
        <StepButton name="Previous revision" command="previous" count={-1} icon={<PreviousIcon />} />
        <PlayButton />
        <StepButton name="Next revision" command="next" count={1} icon={<NextIcon />} />
        <NewestButton />
      </div>
      <SpeedChoice />
      <LoopRow />
      <CaptionedChoice
        className="transport-row"
        caption="Play by"
        legend="Play by"
        options={orderOptions}
        value={playOrder}
        onChange={setPlayOrder}
      />
      <TimelineKey />
    </div>
  );
}

const speedOptions = speeds.map((value) => ({
  value,
  label: String(value),
  name: `${value} ${value === 1 ? "frame" : "frames"} per second`,
}));

function SpeedChoice(): ReactNode {
  const { store } = useViewer();
  const speed = useViewerState((state) => state.speed);
  return (
    <CaptionedChoice
      className="transport-row"
      caption="Per second"
      legend="Frames per second"
      options={speedOptions}
      value={speed}
      onChange={store.getState().setSpeed}
    />
  );
}

const loopOptions: readonly SegmentOption<LoopChoice | typeof draggedLoop>[] = loopChoices.map((value) => ({
  value,
  label: value === "all" ? "All" : `${value} min`,
  hint: "Frames that are played. The brackets over the timeline choose others.",
}));

function LoopRow(): ReactNode {
  const { store } = useViewer();
  const loop = useViewerState((state) => state.loop);
  const dragged = useViewerState(toDraggedLoopWords);
  return (
    <CaptionedChoice
      className="transport-row"
      caption="Loop"
      legend="Loop"
      options={dragged === undefined ? loopOptions : [{ value: draggedLoop, label: dragged }, ...loopOptions]}
      value={typeof loop === "object" ? draggedLoop : loop}
      onChange={(chosen) => {
        if (chosen !== draggedLoop) store.getState().setLoop(chosen);
      }}
    />
  );
}

/** `12–24` if the ends of the loop were dragged, else undefined. */
function toDraggedLoopWords({ history: { revisions }, loop }: ViewerState): string | undefined {
  if (typeof loop !== "object") return undefined;
  const ends = findLoopEnds(revisions, loop);
  return ends ? `${revisions[ends.first]!.sequence}–${revisions[ends.last]!.sequence}` : "Chosen";
}

interface StepButtonProps {
  readonly name: string;
  readonly command: "previous" | "next";
  readonly count: number;
  readonly icon: ReactNode;
}

function StepButton({ name, command, count, icon }: StepButtonProps): ReactNode {
  const { store } = useViewer();
  const { after, aria } = useShortcut(command);
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
      title={after(rowOf(command).does)}
      aria-keyshortcuts={aria}
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
  const { after, aria } = useShortcut("play-or-pause");
  return (
    <button
      type="button"
      className="button primary"
      aria-label={playing ? "Pause" : "Play"}
      title={after(playing ? "Pause" : "Play")}
      aria-keyshortcuts={aria}
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
  const { after, aria } = useShortcut("newest");
  return (
    <button
      type="button"
      className={following ? "button newest following" : "button newest"}
      aria-label="Newest revision"
      title={after("Show the newest frame and follow it")}
      aria-keyshortcuts={aria}
      aria-disabled={!hasNewest}
      onClick={store.getState().pinNewest}
    >
      <span>Newest</span>
      {newer > 0 && <span className="badge" aria-hidden="true" data-count={newer} />}
    </button>
  );
}
