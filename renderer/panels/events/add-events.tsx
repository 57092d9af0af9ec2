// Registering and fetching benchmark events: the catalogue's with one press, an own window by a short form; and in the
// desktop application, adding files.
import { useState, type ReactNode } from "react";
import type { KnownEvent } from "../../../shared/contract/known-event.ts";
import { utcWindow } from "../../text/format.ts";
import { findTask, isUnderWay, mayAct, percentOf } from "../../state/slices/tasks-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton } from "../controls/action-button.tsx";
import { OwnWindow } from "./own-window-form.tsx";
import { ReadOnlyNote } from "../controls/read-only-note.tsx";

export function AddEvents(): ReactNode {
  const access = useViewerState((state) => state.access);
  const [source, setSource] = useState("");
  return (
    <>
      <ReadOnlyNote />
      {access === "desktop" && <AddFiles />}
      {mayAct(access) && <KnownEvents source={toSource(source)} />}
      <h2>Another window</h2>
      <OwnWindow source={toSource(source)} />
      <h2 id="fetch-source">Fetch from</h2>
      <input
        className="field"
        aria-labelledby="fetch-source"
        aria-describedby="fetch-source-words"
        placeholder="noaa"
        spellCheck={false}
        value={source}
        onChange={(event) => {
          setSource(event.target.value);
        }}
      />
      <p className="caption" id="fetch-source-words">
        NOAA’s public bucket, unless this says “bucket:URL” or “folder:DIR”.
      </p>
    </>
  );
}

/** Undefined leaves the choice to the host: NOAA's public bucket. */
function toSource(text: string): string | undefined {
  return text.trim() === "" ? undefined : text.trim();
}

function AddFiles(): ReactNode {
  const { actions } = useViewer();
  const busy = useViewerState((state) => state.addingFiles !== undefined);
  const unavailable = busy ? "Files are being added already." : undefined;
  return (
    <>
      <h2>Files of this computer</h2>
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
  const known = useViewerState((state) => state.knownEvents);
  return (
    <>
      <h2>Known hail events</h2>
      {known.phase === "loading" && <p>Reading the catalogue…</p>}
      {known.phase === "failed" && <p>The catalogue cannot be read now.</p>}
      <ul className="known-events">
        {known.list.map((event) => (
          <KnownRow key={event.name} event={event} source={source} />
        ))}
      </ul>
    </>
  );
}

function KnownRow({ event, source }: SourceProps & { readonly event: KnownEvent }): ReactNode {
  const { actions } = useViewer();
  const task = useViewerState((state) => findTask(state.tasks, event.name));
  const there = useViewerState((state) => state.events.list.find(({ id }) => id === event.name));
  const running = task !== undefined && isUnderWay(task);
  const complete = there !== undefined && there.status !== "active";
  return (
    <li className="known-event">
      <div className="known-words">
        <span className="known-label">{event.label}</span>
        <span className="caption">
          {utcWindow(Date.parse(event.startedAt), Date.parse(event.endedAt))} UTC
        </span>
        <span className="caption">{event.area}</span>
        {event.summary !== "" && <span className="caption">{event.summary}</span>}
      </div>
      <ActionButton
        name={`${there ? "Fetch" : "Register and fetch"} ${event.label}`}
        unavailable={
          running ? "It is being fetched." : complete ? "It is in the list already, complete." : undefined
        }
        onPress={() => void actions.registerAndFetch({ known: event.name }, source)}
      >
        {running ? `${percentOf(task) ?? 0} %` : complete ? "In the list" : "Fetch"}
      </ActionButton>
    </li>
  );
}
