// The pinned places as tabs, each with a sparkline of its hail, and the controls of the strip.
import { useMemo, type KeyboardEvent, type ReactNode } from "react";
import { mostPins } from "../../platform/viewer-limits.ts";
import type { PlacePin, StoryReach } from "../../state/slices/story-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon, MinusIcon, PlusIcon } from "../controls/icons.tsx";
import { Segmented, type SegmentOption } from "../controls/segmented.tsx";
import { searchInputId } from "../places/place-search.tsx";
import { toSparkline } from "./chart-marks.ts";
import { usePlaceStory } from "./use-place-story.ts";

export const storyPanelId = "story-panel";

export function storyTabId(index: number): string {
  return `story-pin-${index + 1}`;
}

const reachOptions: readonly SegmentOption<StoryReach>[] = [
  { value: "cell", label: "This cell" },
  {
    value: "nearby",
    name: "Largest within 5 km",
    label: (
      <>
        <span className="reach-long">Largest within 5 km</span>
        <span className="reach-short">Within 5 km</span>
      </>
    ),
  },
];

export function StoryHead(): ReactNode {
  const { store } = useViewer();
  const { removePin, setStoryOpen, setStoryReach, setPinsNextPlace } = store.getState();
  const pins = useViewerState((state) => state.pins);
  const chosen = useViewerState((state) => state.chosenPin);
  const reach = useViewerState((state) => state.storyReach);
  const isFull = pins.length === mostPins;
  const wasRefused = useViewerState((state) => state.pinsAreFull);
  return (
    <div className="story-head">
      <PinTabs pins={pins} chosen={chosen} />
      <Button
        className="icon-button tiny"
        name={`Remove ${pins[chosen]!.label} (Delete)`}
        onPress={() => {
          removePin(chosen);
        }}
      >
        <MinusIcon />
      </Button>
      <Button
        className="button small story-add"
        name="Pin a place"
        unavailable={isFull ? "Remove a place first: five can be pinned" : undefined}
        onPress={() => {
          setPinsNextPlace(true);
          const search = document.getElementById(searchInputId);
          search?.focus();
          // The typed text replaces the last search.
          if (search instanceof HTMLInputElement) search.select();
        }}
      >
        <PlusIcon /> <span className="story-words">Pin a place</span>
      </Button>
      <span className={wasRefused ? "story-count warning" : "story-count quiet"} role="status">
        {pins.length} of {mostPins}
        {wasRefused && <span className="unseen">. Remove a place to pin another.</span>}
      </span>
      <span className="story-space" />
      <Segmented legend="Cells that count" options={reachOptions} value={reach} onChange={setStoryReach} />
      <Button
        className="icon-button tiny"
        name="Close the story"
        onPress={() => {
          setStoryOpen(false);
        }}
      >
        <CloseIcon />
      </Button>
    </div>
  );
}

interface PinTabsProps {
  readonly pins: readonly PlacePin[];
  readonly chosen: number;
}

function PinTabs({ pins, chosen }: PinTabsProps): ReactNode {
  const { store } = useViewer();

  function press(event: KeyboardEvent): void {
    const { choosePin, removePin } = store.getState();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const target = { Home: 0, End: pins.length - 1 }[event.key];
    if (step !== undefined) focusPin((chosen + step + pins.length) % pins.length, choosePin);
    else if (target !== undefined) focusPin(target, choosePin);
    else if (event.key === "Delete") {
      removePin(chosen);
      // The tabs render first; without pins the strip is gone.
      queueMicrotask(() => {
        document.getElementById(storyTabId(store.getState().chosenPin))?.focus();
      });
    } else return;
    event.preventDefault();
  }

  return (
    <div className="story-pins" role="tablist" aria-label="Pinned places" onKeyDown={press}>
      {pins.map((pin, index) => (
        <button
          key={pin.coordinate.join()}
          id={storyTabId(index)}
          type="button"
          role="tab"
          className="story-pin"
          aria-selected={index === chosen}
          aria-controls={storyPanelId}
          tabIndex={index === chosen ? 0 : -1}
          title={pin.label}
          onClick={() => {
            store.getState().choosePin(index);
          }}
        >
          <span className="story-number" aria-hidden="true">
            {index + 1}
          </span>
          <span className="story-name">{pin.label}</span>
          <Sparkline pin={pin} />
        </button>
      ))}
    </div>
  );
}

function focusPin(index: number, choose: (index: number) => void): void {
  choose(index);
  document.getElementById(storyTabId(index))?.focus();
}

const sparkline = { widthPx: 46, heightPx: 14 } as const;

function Sparkline({ pin }: { readonly pin: PlacePin }): ReactNode {
  const { windows } = usePlaceStory(pin);
  const palette = useViewerState((state) => state.palette);
  const ownTables = useViewerState((state) => state.ownTables);
  const theme = useViewerState((state) => state.theme);
  const paths = useMemo(
    () => toSparkline(windows, sparkline, { palette, ownTables, theme }),
    [windows, palette, ownTables, theme],
  );
  return (
    <svg
      className="story-sparkline"
      viewBox={`0 0 ${sparkline.widthPx} ${sparkline.heightPx}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {paths.map(({ color, bars }) => (
        <path key={color} d={bars} fill={color} />
      ))}
    </svg>
  );
}
