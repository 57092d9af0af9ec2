// Form fields with their labels: one line of text, one choice of many, and a value to copy.
import { useId, useRef, useState, type ReactNode } from "react";
import { Button } from "./button.tsx";

export interface TextFieldProps {
  readonly name: string;
  readonly type?: "text" | "password";
  readonly placeholder?: string;
  readonly value: string;
  /** Id of the element that explains the field, or its problem. */
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly onChange: (value: string) => void;
}

export function TextField(props: TextFieldProps): ReactNode {
  const id = useId();
  return (
    <div className="field-row">
      <label htmlFor={id}>{props.name}</label>
      <input
        id={id}
        className="field"
        type={props.type ?? "text"}
        placeholder={props.placeholder}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid}
        value={props.value}
        onChange={(event) => {
          props.onChange(event.target.value);
        }}
      />
    </div>
  );
}

export interface ChoiceProps {
  readonly name: string;
  /** Accessible name, where the visible one is too short. */
  readonly spokenName?: string;
  readonly value: string | number;
  /** The options, as `option` and `optgroup` elements. */
  readonly children: ReactNode;
  readonly onChange: (value: string) => void;
}

export function Choice({ name, spokenName, value, children, onChange }: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <div className="field-row">
      <label htmlFor={id}>{name}</label>
      <select
        id={id}
        className="field select"
        aria-label={spokenName}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        {children}
      </select>
    </div>
  );
}

export interface CopyFieldProps {
  readonly name: string;
  readonly value: string;
  readonly words?: string | undefined;
}

export function CopyField({ name, value, words }: CopyFieldProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [result, setResult] = useState("");

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      setResult("Copied");
    } catch {
      // Some browsers deny access to the clipboard; the keyboard shortcut always works.
      field.current?.select();
      setResult("Press Ctrl+C");
    }
  }

  return (
    <div className="copy-field">
      <div className="copy-head">
        <label htmlFor={id}>{name}</label>
        <span className="caption" role="status">
          {result}
        </span>
      </div>
      <div className="copy-row">
        <input
          ref={field}
          id={id}
          className="field"
          readOnly
          spellCheck={false}
          autoComplete="off"
          aria-describedby={words && `${id}-words`}
          value={value}
          onFocus={(event) => {
            event.target.select();
          }}
        />
        <Button name={`Copy ${name.toLowerCase()}`} onPress={() => void copy()}>
          Copy
        </Button>
      </div>
      {words && (
        <p className="caption" id={`${id}-words`}>
          {words}
        </p>
      )}
    </div>
  );
}
