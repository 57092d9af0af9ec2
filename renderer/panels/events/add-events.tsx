// Adding events: known hail events, any other time window, and in the desktop app, files.
import { useState, type ReactNode } from "react";
import type { KnownEvent } from "../../../shared/contract/known-event.ts";
import {
  findWindowProblem,
  toEventId,
  toRegistration,
  type WindowDraft,
} from "../../state/forms/own-window-draft.ts";
import { findTask, isUnderWay, mayAct, percentOf } from "../../state/slices/tasks-slice.ts";
import { clockWindow } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton } from "../controls/button.tsx";
import { TextField } from "../controls/fields.tsx";

export function AddEvents(): ReactNode {
  const access = useViewerState((state) => state.access);
  const [text, setText] = useState("");
  // Undefined leaves the choice to the host: the NOAA public bucket.
  const source = text.trim() === "" ? undefined : text.trim();
  return (
    <>
      {access === "desktop" && <AddFiles />}
      {mayAct(access) && <KnownEvents source={source} />}
      <h2>Another time window</h2>
      <OwnWindow source={source} />
      <h2>
        <label htmlFor="download-source">Download from</label>
      </h2>
      <input
        id="download-source"
        className="field"
        aria-describedby="download-source-words"
        placeholder="noaa"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
      <p className="caption" id="download-source-words">
        The NOAA public bucket, unless you enter “bucket:URL” or “folder:DIR”.
      </p>
    </>
  );
}

function AddFiles(): ReactNode {
  const { actions } = useViewer();
  const isBusy = useViewerState((state) => state.addingFiles !== undefined);
  const unavailable = isBusy ? "Files are already being added" : undefined;
  return (
    <>
      <h2>Files on this computer</h2>
      <div className="button-row">
        <ActionButton unavailable={unavailable} onPress={() => void actions.addFiles({ choose: "files" })}>
          Add files…
        </ActionButton>
        <ActionButton unavailable={unavailable} onPress={() => void actions.addFiles({ choose: "folder" })}>
          Add a folder…
        </ActionButton>
      </div>
    </>
  );
}

interface SourceProps {
  readonly source: string | undefined;
}

function KnownEvents({ source }: SourceProps): ReactNode {
  const { phase, list } = useViewerState((state) => state.knownEvents);
  return (
    <>
      <h2>Known hail events</h2>
      {phase === "loading" && <p>Reading the catalog…</p>}
      {phase === "failed" && <p>Can't read the catalog now</p>}
      <ul>
        {list.map((event) => (
          <KnownRow key={event.name} event={event} source={source} />
        ))}
      </ul>
    </>
  );
}

function KnownRow({ event, source }: SourceProps & { readonly event: KnownEvent }): ReactNode {
  const { actions } = useViewer();
  const task = useViewerState((state) => findTask(state.tasks, event.name));
  const listed = useViewerState((state) => state.events.list.find(({ id }) => id === event.name));
  const isRunning = task !== undefined && isUnderWay(task);
  const isComplete = listed !== undefined && listed.status !== "active";
  const obstacle = isComplete ? "Already in the list, complete" : undefined;
  return (
    <li className="known-event">
      <div className="known-words">
        <span className="known-label">{event.label}</span>
        <span className="caption">{clockWindow(Date.parse(event.startedAt), Date.parse(event.endedAt))}</span>
        <span className="caption">{event.area}</span>
        {event.summary !== "" && <span className="caption">{event.summary}</span>}
      </div>
      <ActionButton
        name={`Download ${event.label}`}
        unavailable={isRunning ? "Already downloading" : obstacle}
        onPress={() => void actions.registerAndFetch({ known: event.name }, source)}
      >
        {isRunning ? `${percentOf(task) ?? 0}%` : isComplete ? "In the list" : "Download"}
      </ActionButton>
    </li>
  );
}

const emptyDraft: WindowDraft = { label: "", id: undefined, start: "", end: "" };

function OwnWindow({ source }: SourceProps): ReactNode {
  const { actions } = useViewer();
  const [draft, setDraft] = useState(emptyDraft);
  const problem = findWindowProblem(draft);
  const change = (name: keyof WindowDraft) => (value: string) => {
    setDraft({ ...draft, [name]: value });
  };

  async function submit(downloads: boolean): Promise<void> {
    const window = toRegistration(draft);
    const isDone = downloads
      ? await actions.registerAndFetch({ window }, source)
      : (await actions.act("events.register", window)) !== undefined;
    if (isDone) setDraft(emptyDraft);
  }

  return (
    <form
      className="window-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) void submit(true);
      }}
    >
      <TextField name="Label" value={draft.label} onChange={change("label")} />
      <TextField name="ID" value={draft.id ?? toEventId(draft.label)} onChange={change("id")} />
      <TextField
        name="Start, UTC"
        placeholder="2024-05-20 21:00"
        value={draft.start}
        onChange={change("start")}
      />
      <TextField name="End, UTC" placeholder="2024-05-21 02:00" value={draft.end} onChange={change("end")} />
      <div className="button-row">
        <ActionButton unavailable={problem} onPress={() => void submit(true)}>
          Add and download
        </ActionButton>
        <ActionButton unavailable={problem} onPress={() => void submit(false)}>
          Add only
        </ActionButton>
      </div>
      {draft !== emptyDraft && problem !== undefined && <p className="caption">{problem}</p>}
    </form>
  );
}
