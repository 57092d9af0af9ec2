// Something to be handed on: a read-only field and a button that copies it.
import { useId, useRef, useState, type ReactNode } from "react";

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
      // The clipboard is not ours everywhere; the person's own keys always work.
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
          aria-describedby={words === undefined ? undefined : `${id}-words`}
          value={value}
          onFocus={(event) => {
            event.target.select();
          }}
        />
        <button
          type="button"
          className="button small"
          aria-label={`Copy ${name.toLowerCase()}`}
          onClick={() => void copy()}
        >
          Copy
        </button>
      </div>
      {words !== undefined && (
        <p className="caption" id={`${id}-words`}>
          {words}
        </p>
      )}
    </div>
  );
}
