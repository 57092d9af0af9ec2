// One command and its key. Pressing the button waits for the next key; a key of another command is not saved until the
// person says which of the two has it.
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { findOwner, isReserved, keysOf, rowOf, toKeyLabel, toKeyName, type Command } from "../../keyboard.ts";
import { conflictWords, reservedWords } from "../../text/settings-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon } from "../controls/icons.tsx";

type Step =
  | { readonly is: "waiting"; readonly refused?: string }
  | { readonly is: "conflict"; readonly key: string; readonly owner: Command };

const modifiers = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];

export function KeyRow({ command }: { readonly command: Command }): ReactNode {
  const { store } = useViewer();
  const ownKeys = useViewerState((state) => state.ownKeys);
  const [step, setStep] = useState<Step>();
  const keys = keysOf(command, { ownKeys });
  const isOwn = ownKeys[command] !== undefined;
  const { does } = rowOf(command);
  const { setKeys } = store.getState();

  function press(event: KeyboardEvent): void {
    if (step?.is === "conflict" && event.key === "Escape") {
      event.preventDefault();
      setStep(undefined);
      return;
    }
    if (step?.is !== "waiting" || event.key === "Tab" || modifiers.includes(event.key)) return;
    event.preventDefault();
    const key = toKeyName(event);
    if (key === "Escape") setStep(undefined);
    else if (isReserved(key)) setStep({ is: "waiting", refused: reservedWords(key) });
    else offer(key);
  }

  function offer(key: string): void {
    const owner = findOwner(key, command, ownKeys);
    if (owner) {
      setStep({ is: "conflict", key, owner });
      return;
    }
    setKeys(command, [key]);
    setStep(undefined);
  }

  return (
    <li className="key-row">
      <span id={`key-${command}`}>{does}</span>
      {isOwn && (
        <Button
          className="icon-button tiny"
          name={`Reset the key: ${does}`}
          onPress={() => {
            const owner = rowOf(command)
              .keys.map((key) => findOwner(key, command, ownKeys))
              .find(Boolean);
            if (owner) setStep({ is: "conflict", key: rowOf(command).keys[0]!, owner });
            else setKeys(command, undefined);
          }}
        >
          <CloseIcon />
        </Button>
      )}
      {command === "close" ? (
        <kbd title={reservedWords("Escape")}>Esc</kbd>
      ) : (
        <button
          type="button"
          className="key-button"
          aria-label={`Key: ${does}, ${keys.map(toKeyLabel).join(" or ") || "none"}`}
          aria-pressed={step?.is === "waiting"}
          title="Press to give it another key"
          onClick={() => {
            setStep({ is: "waiting" });
          }}
          onKeyDown={press}
          onBlur={() => {
            if (step?.is === "waiting") setStep(undefined);
          }}
        >
          {step?.is === "waiting"
            ? "Press a key…"
            : keys.map((key) => <kbd key={key}>{toKeyLabel(key)}</kbd>)}
          {step?.is !== "waiting" && keys.length === 0 && <span className="quiet">none</span>}
        </button>
      )}
      <div className="key-problem" role="alert">
        {step?.is === "waiting" && step.refused}
        {step?.is === "conflict" && (
          <>
            <span>{conflictWords(step.key, step.owner)}</span>
            <Button
              className="link"
              onPress={() => {
                const left = keysOf(step.owner, { ownKeys }).filter((key) => key !== step.key);
                setKeys(step.owner, left);
                setKeys(command, [step.key]);
                setStep(undefined);
              }}
            >
              Take it from there
            </Button>
            <Button
              className="link"
              onPress={() => {
                setStep(undefined);
              }}
            >
              Leave it
            </Button>
          </>
        )}
      </div>
    </li>
  );
}
