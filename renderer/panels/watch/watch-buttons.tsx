// The buttons "Watch rules" and "Read the storm", and the words that were read or told last, over the map.
import { useEffect, type ReactNode } from "react";
import { selectActivePane } from "../../state/panes/pane-store.ts";
import { toldWords } from "../../text/watch-text.ts";
import { toPaneViewer, usePanes, useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { DialogButton } from "../controls/dialog.tsx";
import { BellIcon, CloseIcon, SpeakIcon } from "../controls/icons.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";
import { readStorm } from "./read-storm.ts";

export function WatchButtons(): ReactNode {
  const viewer = useViewer();
  const active = usePanes(selectActivePane);
  const rules = useShortcut("watch-rules");
  const read = useShortcut("read-storm");
  const hasRules = useViewerState(({ watchRules }) => watchRules.some(({ isOn }) => isOn));
  return (
    <>
      <DialogButton
        id="watch"
        name="Watch rules"
        title={rules.after(hasRules ? "Watch rules: on" : "Watch rules")}
        shortcut={rules.aria}
        className={hasRules ? "icon-button watching" : "icon-button"}
      >
        <BellIcon />
      </DialogButton>
      <button
        type="button"
        className="icon-button"
        aria-label="Read the storm"
        title={read.after("Read the storm: says what is in view")}
        aria-keyshortcuts={read.aria}
        onClick={() => void readStorm(viewer, toPaneViewer(viewer, active))}
      >
        <SpeakIcon />
      </button>
    </>
  );
}

const shownMs = 30_000;

/** Says what was read; a storm that was told replaces it. */
export function StormNote(): ReactNode {
  const { store } = useViewer();
  const reading = useViewerState((state) => state.stormReading);
  useEffect(() => {
    if (!reading) return undefined;
    const timer = setTimeout(() => {
      store.getState().setStormReading(undefined);
    }, shownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [store, reading]);
  return (
    <div className="storm-note" role="status" aria-label="Storm read aloud">
      {reading && (
        <p key={reading.count}>
          {reading.words}
          <Button
            className="icon-button tiny"
            name="Close the words"
            onPress={() => {
              store.getState().setStormReading(undefined);
            }}
          >
            <CloseIcon />
          </Button>
        </p>
      )}
    </div>
  );
}

/** The storms that rules told of, newest first. */
export function ToldList(): ReactNode {
  const told = useViewerState((state) => state.stormsTold);
  const units = useViewerState((state) => state.hailUnits);
  return (
    <>
      <h3>Notices so far</h3>
      <div className="watch-told" role="log" aria-label="Storms told">
        <ol>
          {told.map((storm) => (
            <li key={`${storm.ruleId} ${storm.observedMs} ${storm.place ?? ""} ${storm.range.lower}`}>
              {toldWords(storm, units)}
            </li>
          ))}
        </ol>
      </div>
      {told.length === 0 && (
        <p className="caption">None yet. Each storm gives one notice, when it first meets a rule.</p>
      )}
    </>
  );
}
