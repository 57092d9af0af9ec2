// One choice of many: a labelled list that opens.
import { useId, type ReactNode } from "react";

export interface ChoiceProps {
  readonly name: string;
  /** The whole words where the name is cut short. */
  readonly spokenName?: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly words: string }[];
  readonly onChange: (value: string) => void;
}

export function Choice({ name, spokenName, value, options, onChange }: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <div className="field-row narrow">
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
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.words}
          </option>
        ))}
      </select>
    </div>
  );
}
