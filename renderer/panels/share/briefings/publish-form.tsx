// Publishing a briefing of one event: which revisions get a page, and the progress.
import { useId, useState, type ReactNode } from "react";
import type { Briefing } from "../../../../shared/contract/briefings.ts";
import type { StormEvent } from "../../../../shared/contract/index.ts";
import {
  chooseRevisions,
  findBaseProblem,
  newestPages,
  type HeldRevisions,
  type RevisionChoice,
  type RevisionWay,
} from "../../../state/forms/revision-choice.ts";
import { selectShownRevision } from "../../../state/selectors.ts";
import { findBriefingTask, isUnderWay } from "../../../state/slices/tasks-slice.ts";
import { behindWords, briefingFacts, choiceWords } from "../../../text/briefing-text.ts";
import { counted } from "../../../text/format.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { ActionButton } from "../../controls/button.tsx";
import { ExpandableLink } from "../../controls/expandable.tsx";
import { TextField } from "../../controls/fields.tsx";
import { Segmented, type SegmentOption } from "../../controls/segmented.tsx";
import { TaskRow } from "../../controls/task-row.tsx";

export interface PublishBriefingProps {
  readonly event: StormEvent;
  /** The published one, if any. */
  readonly briefing: Briefing | undefined;
}

export function PublishBriefing({ event, briefing }: PublishBriefingProps): ReactNode {
  const task = useViewerState((state) => findBriefingTask(state.tasks, event.id));
  return (
    <>
      <h2>{event.label}</h2>
      {briefing && (
        <p className={briefing.behind > 0 ? "warning" : undefined}>
          {briefingFacts(briefing)}. {behindWords(briefing) ?? "Up to date"}
        </p>
      )}
      <PublishForm event={event} briefing={briefing} isBusy={task !== undefined && isUnderWay(task)} />
      {task && <TaskRow task={task} />}
    </>
  );
}

function PublishForm({
  event,
  briefing,
  isBusy,
}: PublishBriefingProps & { readonly isBusy: boolean }): ReactNode {
  const { actions } = useViewer();
  const idBase = useId();
  const held = useHeldRevisions();
  const [choice, setChoice] = useState<RevisionChoice>({ way: "newest", text: "" });
  const [base, setBase] = useState("");
  const chosen = chooseRevisions(choice, held);
  const isInvalid = choice.way === "own" && choice.text !== "" && chosen.problem !== undefined;
  const baseProblem = findBaseProblem(base);
  const unavailable = isBusy ? "Already publishing" : (chosen.problem ?? baseProblem);
  const action = briefing ? "Publish again" : "Publish briefing";

  function publish(): void {
    if (unavailable !== undefined || chosen.problem !== undefined) return;
    const { sequences } = chosen;
    const baseUrl = base.trim();
    void actions.act("briefings.publish", {
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
        publish();
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
          isInvalid={isInvalid}
          onChange={(text) => {
            setChoice({ ...choice, text });
          }}
        />
      )}
      <p className={isInvalid ? "caption bad" : "caption"} id={`${idBase}-words`} aria-live="polite">
        {choiceWords(chosen)}
        {briefing && ". Pages of other revisions are removed"}
      </p>
      {/* Most people have no web server of their own, so the field is hidden at first. */}
      <ExpandableLink
        words="For your own web server…"
        onToggle={() => {
          setBase("");
        }}
      >
        <TextField
          name="Its address"
          placeholder="https://brief.example/"
          value={base}
          describedBy={`${idBase}-base`}
          isInvalid={baseProblem !== undefined}
          onChange={setBase}
        />
        <p className={baseProblem === undefined ? "caption" : "caption bad"} id={`${idBase}-base`}>
          {baseProblem ?? "The address of the folder there, for links between the pages"}
        </p>
      </ExpandableLink>
      <div className="button-row">
        <ActionButton name={`${action}: ${event.label}`} unavailable={unavailable} onPress={publish}>
          {action}
        </ActionButton>
      </div>
    </form>
  );
}

function useHeldRevisions(): HeldRevisions {
  const revisions = useViewerState((state) => state.history.all);
  const latest = useViewerState((state) => state.history.latestSequence);
  const shown = useViewerState((state) => selectShownRevision(state)?.sequence);
  return { held: revisions.map(({ sequence }) => sequence), latest: latest ?? 0, shown };
}

function toOptions({ held, latest }: HeldRevisions): readonly SegmentOption<RevisionWay>[] {
  const which = held.length >= latest ? "All" : "Newest";
  return [
    { value: "newest", label: `Newest ${newestPages}` },
    {
      value: "all",
      label: `${which} ${held.length}`,
      name: `${which} ${counted(held.length, "revision", "revisions")}`,
    },
    { value: "shown", label: "On screen", name: "Only the revision on screen" },
    { value: "own", label: "Choose…", name: "Choose revisions by number" },
  ];
}
