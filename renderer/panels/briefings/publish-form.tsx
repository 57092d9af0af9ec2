// Publishing a briefing of one event: which revisions get a page, how far it has come, and where it is then.
import { useId, useState, type ReactNode } from "react";
import type { Briefing } from "../../../shared/contract/briefings.ts";
import type { StormEvent } from "../../../shared/contract/index.ts";
import { behindWords, briefingFacts, choiceWords } from "../../text/briefing-text.ts";
import { counted } from "../../text/format.ts";
import {
  chooseRevisions,
  findBaseProblem,
  newestPages,
  type HeldRevisions,
  type RevisionChoice,
  type RevisionWay,
} from "../../state/revision-choice.ts";
import { selectShownRevision } from "../../state/selectors.ts";
import { findBriefingTask, isUnderWay } from "../../state/slices/tasks-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton } from "../controls/action-button.tsx";
import { Segmented, type SegmentOption } from "../controls/segmented.tsx";
import { TaskRow } from "../controls/task-row.tsx";
import { TextField } from "../controls/text-field.tsx";
import { BriefingPlace } from "./briefing-place.tsx";

export interface PublishBriefingProps {
  readonly event: StormEvent;
  /** The one that is published already. */
  readonly briefing: Briefing | undefined;
}

export function PublishBriefing({ event, briefing }: PublishBriefingProps): ReactNode {
  const task = useViewerState((state) => findBriefingTask(state.tasks, event.id));
  return (
    <>
      <h2>{event.label}</h2>
      {briefing && (
        <p className={briefing.behind > 0 ? "late" : undefined}>
          {briefingFacts(briefing)}. {behindWords(briefing) ?? "It is up to date."}
        </p>
      )}
      <PublishForm event={event} briefing={briefing} />
      {task && <TaskRow task={task} />}
      {briefing && (
        <div className="briefing-place" role="group" aria-label={`Briefing of ${event.label}`}>
          <BriefingPlace briefing={briefing} />
        </div>
      )}
    </>
  );
}

function PublishForm({ event, briefing }: PublishBriefingProps): ReactNode {
  const { actions } = useViewer();
  const idBase = useId();
  const held = useHeldRevisions();
  const [choice, setChoice] = useState<RevisionChoice>({ way: "newest", text: "" });
  const [base, setBase] = useState("");
  const isBusy = useViewerState((state) => {
    const task = findBriefingTask(state.tasks, event.id);
    return task !== undefined && isUnderWay(task);
  });
  const chosen = chooseRevisions(choice, held);
  const isWrong = choice.way === "own" && choice.text !== "" && chosen.problem !== undefined;
  const baseProblem = findBaseProblem(base);
  const unavailable = isBusy ? "It is being published." : (chosen.problem ?? baseProblem);

  async function publish(): Promise<void> {
    if (unavailable !== undefined || chosen.problem !== undefined) return;
    const { sequences } = chosen;
    const baseUrl = base.trim();
    await actions.act("briefings.publish", {
      eventId: event.id,
      ...(sequences !== undefined && { sequences: [...sequences] }),
      ...(baseUrl !== "" && { baseUrl }),
    });
  }

  return (
    <form
      className="window-form"
      autoComplete="off"
      onSubmit={(submission) => {
        submission.preventDefault();
        void publish();
      }}
    >
      <Segmented
        legend="Which revisions get a page"
        options={toOptions(held)}
        value={choice.way}
        onChange={(way) => {
          setChoice({ ...choice, way });
        }}
      />
      {choice.way === "own" && (
        <TextField
          name="Revisions"
          placeholder="3, 7–12"
          value={choice.text}
          describedBy={`${idBase}-words`}
          isWrong={isWrong}
          onChange={(text) => {
            setChoice({ ...choice, text });
          }}
        />
      )}
      <p className={isWrong ? "caption bad" : "caption"} id={`${idBase}-words`} aria-live="polite">
        {choiceWords(chosen)}
        {briefing && " Pages of other revisions that an earlier publication made are removed."}
      </p>
      <OwnAddress base={base} problem={baseProblem} onChange={setBase} />
      <div className="button-row">
        <ActionButton
          name={`${briefing ? "Publish again" : "Publish briefing"}: ${event.label}`}
          unavailable={unavailable}
          onPress={() => void publish()}
        >
          {briefing ? "Publish again" : "Publish briefing"}
        </ActionButton>
      </div>
    </form>
  );
}

function useHeldRevisions(): HeldRevisions {
  const revisions = useViewerState((state) => state.history.revisions);
  const latest = useViewerState((state) => state.history.latestSequence);
  const shown = useViewerState((state) => selectShownRevision(state)?.sequence);
  return { held: revisions.map(({ sequence }) => sequence), latest: latest ?? 0, shown };
}

function toOptions({ held, latest }: HeldRevisions): readonly SegmentOption<RevisionWay>[] {
  const isWhole = held.length >= latest;
  return [
    { value: "newest", label: `Newest ${newestPages}` },
    {
      value: "all",
      label: `${isWhole ? "All" : "Newest"} ${held.length}`,
      name: isWhole
        ? `All ${counted(held.length, "revision", "revisions")}`
        : `The newest ${held.length} revisions`,
    },
    { value: "shown", label: "On screen", name: "Only the revision on screen" },
    { value: "own", label: "Choose…", name: "Choose revisions by their numbers" },
  ];
}

interface OwnAddressProps {
  readonly base: string;
  readonly problem: string | undefined;
  readonly onChange: (base: string) => void;
}

/** Most have no server of their own: the field is out of the way. */
function OwnAddress({ base, problem, onChange }: OwnAddressProps): ReactNode {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <>
      <div>
        <button
          type="button"
          className="link"
          aria-expanded={open}
          onClick={() => {
            setOpen(!open);
            onChange("");
          }}
        >
          For a web server of your own…
        </button>
      </div>
      {open && (
        <>
          <TextField
            name="Its address"
            placeholder="https://brief.example/"
            value={base}
            describedBy={id}
            isWrong={problem !== undefined}
            onChange={onChange}
          />
          <p className={problem === undefined ? "caption" : "caption bad"} id={id}>
            {problem ??
              "Where the folder’s content will stand, so that the pages can name each other in full."}
          </p>
        </>
      )}
    </>
  );
}
