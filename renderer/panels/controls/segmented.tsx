// One choice of a few, all of them in view: radio buttons drawn as one bar.
import { useId, type ReactNode } from "react";

export interface SegmentOption<T> {
  readonly value: T;
  readonly label: string;
  /** The whole words where the label is cut short. */
  readonly name?: string;
}

export interface SegmentedProps<T> {
  /** What is chosen, for a screen reader, and for the eye when `showLegend` says so. */
  readonly legend: string;
  readonly options: readonly SegmentOption<T>[];
  /** Undefined when none of them is chosen. */
  readonly value: T | undefined;
  readonly onChange: (value: T) => void;
}

export function Segmented<T extends string | number>(props: SegmentedProps<T>): ReactNode {
  const group = useId();
  return (
    <fieldset className="segmented">
      <legend className="unseen">{props.legend}</legend>
      {props.options.map(({ value, label, name }) => (
        <label key={value} className="segment" title={name}>
          <input
            type="radio"
            name={group}
            checked={value === props.value}
            aria-label={name}
            onChange={() => {
              props.onChange(value);
            }}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
