// The form for an address that is asked at a pace, or a folder that is watched.
import { useId, useState, type ReactNode } from "react";
import {
  emptyOverlay,
  findOverlayProblem,
  paceMinutes,
  toOverlayDraft,
  type TypedOverlay,
} from "../../state/forms/typed-overlay.ts";
import { paceWords } from "../../text/overlay-text.ts";
import { useViewer } from "../../viewer-context.ts";
import { ActionButton } from "../controls/button.tsx";
import { Choice, TextField } from "../controls/fields.tsx";
import { overlaySectionId } from "./open-overlays.ts";

export function AddFeed({ kind }: Pick<TypedOverlay, "kind">): ReactNode {
  const { store, actions, hostOverlays } = useViewer();
  const [typed, setTyped] = useState(() => emptyOverlay(kind));
  const problem = findOverlayProblem(typed);
  const change = (part: Partial<TypedOverlay>): void => {
    setTyped({ ...typed, ...part });
  };

  async function submit(): Promise<void> {
    if (problem !== undefined || !(await actions.act("overlays.add", toOverlayDraft(typed)))) return;
    store.getState().closeFlyout();
    const section = document.getElementById(overlaySectionId);
    section?.querySelector("button")?.focus();
    await hostOverlays.refresh();
    // The new row is the last one.
    requestAnimationFrame(() =>
      section?.querySelector("li:last-child")?.scrollIntoView({ block: "nearest" }),
    );
  }

  return (
    <form
      className="window-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        name={kind === "address" ? "Address" : "Folder"}
        placeholder={kind === "address" ? "https://example.org/spotters.txt" : "/home/me/placefiles"}
        value={typed.place}
        onChange={(place) => {
          change({ place });
        }}
      />
      <TextField
        name="Name"
        placeholder="Optional"
        value={typed.name}
        onChange={(name) => {
          change({ name });
        }}
      />
      {kind === "address" ? (
        <AddressFields typed={typed} change={change} />
      ) : (
        <p className="caption">
          On the computer that runs Echotop. Its newest files are shown, and read again when they change.
        </p>
      )}
      <div className="button-row">
        <ActionButton unavailable={problem} onPress={() => void submit()}>
          {kind === "address" ? "Add address" : "Add folder"}
        </ActionButton>
        {typed.place !== "" && problem !== undefined && <span className="caption">{problem}</span>}
      </div>
    </form>
  );
}

interface FieldsProps {
  readonly typed: TypedOverlay;
  readonly change: (part: Partial<TypedOverlay>) => void;
}

function AddressFields({ typed, change }: FieldsProps): ReactNode {
  const id = useId();
  return (
    <>
      <Choice
        name="Ask every"
        value={typed.everyMinutes}
        onChange={(value) => {
          change({ everyMinutes: Number(value) });
        }}
      >
        {paceMinutes.map((minutes) => (
          <option key={minutes} value={minutes}>
            {paceWords(minutes * 60)}
          </option>
        ))}
      </Choice>
      <label className="overlay-private">
        <input
          type="checkbox"
          className="check"
          aria-describedby={id}
          checked={typed.allowPrivate}
          onChange={({ target }) => {
            change({ allowPrivate: target.checked });
          }}
        />
        Address is in this computer's network
      </label>
      <p className="caption" id={id}>
        Without it, an address inside that network is refused.
      </p>
    </>
  );
}
