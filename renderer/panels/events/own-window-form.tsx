// The form for a window of one's own: what it is called, and from when to when in UTC.
import { useState, type ReactNode } from "react";
import {
  findWindowProblem,
  toEventId,
  toRegistration,
  type WindowDraft,
} from "../../state/own-window-draft.ts";
import { useViewer } from "../../viewer-context.ts";
import { ActionButton } from "../controls/action-button.tsx";
import { TextField } from "../controls/text-field.tsx";

const emptyDraft: WindowDraft = { label: "", id: undefined, start: "", end: "" };

export function OwnWindow({ source }: { readonly source: string | undefined }): ReactNode {
  const { actions } = useViewer();
  const [draft, setDraft] = useState(emptyDraft);
  const problem = findWindowProblem(draft);
  const id = draft.id ?? toEventId(draft.label);
  const change = (name: keyof WindowDraft) => (value: string) => {
    setDraft({ ...draft, [name]: value });
  };

  async function submit(fetches: boolean): Promise<void> {
    const window = toRegistration(draft);
    const done = fetches
      ? await actions.registerAndFetch({ window }, source)
      : (await actions.act("events.register", window)) !== undefined;
    if (done) setDraft(emptyDraft);
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
      <TextField name="ID" value={id} onChange={change("id")} />
      <TextField
        name="Start, UTC"
        placeholder="2024-05-20 21:00"
        value={draft.start}
        onChange={change("start")}
      />
      <TextField name="End, UTC" placeholder="2024-05-21 02:00" value={draft.end} onChange={change("end")} />
      <div className="button-row">
        <ActionButton unavailable={problem} onPress={() => void submit(true)}>
          Register and fetch
        </ActionButton>
        <ActionButton unavailable={problem} onPress={() => void submit(false)}>
          Register only
        </ActionButton>
      </div>
      {draft !== emptyDraft && problem !== undefined && <p className="caption">{problem}</p>}
    </form>
  );
}
