// One line of text with its label beside it.
import { useId, type ReactNode } from "react";

export interface TextFieldProps {
  readonly name: string;
  readonly placeholder?: string;
  readonly value: string;
  /** The id of what says more about it, or what is wrong with it. */
  readonly describedBy?: string | undefined;
  readonly isWrong?: boolean;
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
        type="text"
        placeholder={props.placeholder}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={props.describedBy}
        aria-invalid={props.isWrong}
        value={props.value}
        onChange={(event) => {
          props.onChange(event.target.value);
        }}
      />
    </div>
  );
}
