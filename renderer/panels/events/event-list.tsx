// The list of storm events, one line each: name, and nature, state or day. Selecting one shows it.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { StormEvent } from "../../../shared/contract/index.ts";
import type { Task } from "../../../shared/contract/task.ts";
import { natureOf, splitLabel } from "../../../shared/revisions/event-origin.ts";
import { clockDay, clockTime, clockWindow } from "../../text/format.ts";
import { findLiveObstacle } from "../../state/reading/feed-status.ts";
import { isLiveEvent } from "../../state/selectors.ts";
import {
  eventStatusWords,
  liveObstacleWords,
  natureWords,
  problemWords,
  taskWords,
} from "../../text/state-text.ts";
import { findTask, isUnderWay, offersActions, percentOf } from "../../state/slices/tasks-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { SideFlyout } from "../controls/flyout.tsx";
import { PlusIcon } from "../controls/icons.tsx";
import { AddEvents } from "./add-events.tsx";
import { ReadOnlyMark } from "./read-only-mark.tsx";

export function EventList(): ReactNode {
  const { store } = useViewer();
  const { phase, list, problem } = useViewerState((state) => state.events);
  const selectedId = useViewerState((state) => state.selectedEventId);
  const latest = useViewerState((state) => state.history.latestSequence);
  const [activeId, setActiveId] = useState<string>();
  const idBase = useId();
  const box = useRef<HTMLDivElement>(null);
  const activeIndex = Math.max(
    0,
    list.findIndex((event) => event.id === (activeId ?? selectedId)),
  );
  const optionId = (index: number): string => `${idBase}-${index}`;

  useEffect(() => {
    scrollIntoView(box.current, '[data-active="true"]');
  }, [activeIndex]);

  // The selected event stays in view: when it is chosen, when others arrive, and when the list gets another height.
  useEffect(() => {
    const list = box.current;
    if (!list) return undefined;
    const sizes = new ResizeObserver(() => {
      scrollIntoView(list, '[aria-selected="true"]');
    });
    sizes.observe(list);
    return () => {
      sizes.disconnect();
    };
  }, [selectedId, list.length]);

  function press(event: KeyboardEvent): void {
    const steps = keySteps[event.key];
    if (steps !== undefined) {
      event.preventDefault();
      setActiveId(list[Math.min(Math.max(activeIndex + steps, 0), list.length - 1)]?.id);
      return;
    }
    // On the event already shown, Space plays it, as everywhere else.
    const chosen = list[activeIndex];
    if ((event.key === "Enter" || event.key === " ") && chosen && chosen.id !== selectedId) {
      event.preventDefault();
      store.getState().chooseEvent(chosen.id);
    }
  }

  return (
    <section className="events" aria-labelledby={`${idBase}-title`}>
      <div className="section-head">
        <h2 id={`${idBase}-title`}>Storm events</h2>
        <AddButton />
      </div>
      <div
        ref={box}
        className="event-box"
        role="listbox"
        aria-label="Storm events"
        tabIndex={0}
        aria-activedescendant={list.length > 0 ? optionId(activeIndex) : undefined}
        aria-busy={phase === "loading"}
        onKeyDown={press}
        onBlur={() => {
          setActiveId(undefined);
        }}
      >
        {list.map((event, index) => (
          <EventOption
            key={event.id}
            id={optionId(index)}
            event={event}
            selected={event.id === selectedId}
            active={index === activeIndex && activeId !== undefined}
            revisions={event.id === selectedId ? latest : undefined}
            onChoose={() => {
              store.getState().chooseEvent(event.id);
              setActiveId(event.id);
            }}
          />
        ))}
      </div>
      {list.length === 0 && (
        <p className="panel-note">
          {phase === "loading" && "Reading events…"}
          {phase === "ready" && "No events yet"}
          {phase === "failed" && problem && problemWords[problem].title}
        </p>
      )}
    </section>
  );
}

/** Adds events; where nobody may, says so. */
function AddButton(): ReactNode {
  const { actions } = useViewer();
  const access = useViewerState((state) => state.access);
  if (!offersActions(access)) return <ReadOnlyMark />;
  return (
    <SideFlyout
      id="add-events"
      name="Add events"
      title="Add or download events"
      onOpen={actions.readKnownEvents}
      label={
        <>
          <PlusIcon />
          Add
        </>
      }
    >
      <AddEvents />
    </SideFlyout>
  );
}

function scrollIntoView(list: HTMLElement | null, option: string): void {
  list?.querySelector(option)?.scrollIntoView({ block: "nearest" });
}

const keySteps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: -Infinity,
  End: Infinity,
};

interface EventOptionProps {
  readonly id: string;
  readonly event: StormEvent;
  readonly selected: boolean;
  readonly active: boolean;
  /** Latest sequence; known for the selected event only. */
  readonly revisions: number | undefined;
  readonly onChoose: () => void;
}

function EventOption({ id, event, selected, active, revisions, onChoose }: EventOptionProps): ReactNode {
  const doing = useViewerState(({ tasks }) => doingWords(findTask(tasks, event.id)));
  const obstacle = useViewerState((state) => findLiveObstacle(state, event));
  const stopped = obstacle && liveObstacleWords(obstacle);
  const facts = [
    natureWords[natureOf(event)],
    windowWords(event),
    doing ?? stopped ?? stateWords(event, revisions),
  ];
  const factWords = facts.filter((part) => part !== "").join(", ");
  const mark = doing ?? stopped ?? markWords(event);
  return (
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-describedby={`${id}-facts`}
      data-active={active}
      className="event-option"
      title={`${event.label}\n${factWords}`}
      onClick={onChoose}
    >
      <EventLabel label={event.label} />
      <span
        className={`nature nature-${toLook(event, doing === undefined ? obstacle : undefined)}`}
        aria-hidden="true"
      >
        {mark}
      </span>
      <span className="unseen" id={`${id}-facts`} aria-hidden="true">
        {factWords}
      </span>
    </div>
  );
}

/** Green means live now, and nothing less. */
function toLook(event: StormEvent, obstacle: unknown): string {
  if (obstacle !== undefined) return "stopped";
  const nature = natureOf(event);
  return nature === "live" && !isLiveEvent(event) ? "not-live" : nature;
}

/** The one fact beside the name: what is not plain past weather says so, and the rest has its day. */
function markWords(event: StormEvent): string {
  const nature = natureOf(event);
  if (nature !== "benchmark") return natureWords[nature];
  if (!event.currentRevisionId) return "No data yet";
  const startMs = parse(event.startedAt);
  return startMs === undefined ? "" : clockDay(startMs);
}

/** Screen readers get the whole label; the eye sees marks such as “synthetic” at the right, in color. */
function EventLabel({ label }: { label: string }): ReactNode {
  const { name, marks } = splitLabel(label);
  return (
    <span className="event-label">
      {name}
      <span className="unseen">{marks}</span>
    </span>
  );
}

function parse(instant: string | null | undefined): number | undefined {
  return instant ? Date.parse(instant) : undefined;
}

function windowWords(event: StormEvent): string {
  if (!event.currentRevisionId && event.kind === "operational-feed") return "No data yet";
  const endMs = parse(event.endedAt);
  if (natureOf(event) === "live" && endMs !== undefined)
    return `Newest ${clockDay(endMs)} ${clockTime(endMs)}`;
  return clockWindow(parse(event.startedAt), endMs) || "No time window yet";
}

/** `Downloading 62%`; undefined if no task is working on the event. */
function doingWords(task: Task | undefined): string | undefined {
  if (!task || !isUnderWay(task)) return undefined;
  const percent = percentOf(task);
  const share = percent === undefined ? "" : ` ${percent}%`;
  if (task.state === "paused") return `Paused${share}`;
  return `${taskWords[task.kind].doing}${share}`;
}

/** Returns the newest revision of a running feed, if known; for other events, the status. */
function stateWords(event: StormEvent, revisions: number | undefined): string {
  if (!event.currentRevisionId) return "No data yet";
  const running = event.kind === "operational-feed" && event.status === "active";
  if (!running) return eventStatusWords[event.status];
  return revisions === undefined ? "" : `Revision ${revisions}`;
}
