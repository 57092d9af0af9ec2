// One choice of a few, all in view: radio buttons drawn as one bar.
import { useId, type ReactNode } from "react";

export interface SegmentOption<T> {
  readonly value: T;
  readonly label: ReactNode;
  /** Accessible name and tooltip, where the label is too short or an icon. */
  readonly name?: string;
  /** Tooltip that says more than the name. */
  readonly hint?: string;
  /** Reason why it cannot be chosen now; it stays reachable by keyboard and shows the reason. */
  readonly unavailable?: string | undefined;
}

export interface SegmentedProps<T> {
  /** Accessible name of the group. */
  readonly legend: string;
  readonly options: readonly SegmentOption<T>[];
  /** Undefined if none of the options is chosen. */
  readonly value: T | undefined;
  readonly onChange: (value: T) => void;
}

export function Segmented<T extends string | number>(props: SegmentedProps<T>): ReactNode {
  const group = useId();
  return (
    <fieldset className="segmented" role="radiogroup">
      <legend className="unseen">{props.legend}</legend>
      {props.options.map(({ value, label, name, hint = name, unavailable }) => (
        <label key={value} className="segment" title={unavailable ?? hint}>
          <input
            type="radio"
            name={group}
            checked={value === props.value}
            aria-label={name}
            aria-disabled={unavailable !== undefined}
            onChange={() => {
              if (unavailable === undefined) props.onChange(value);
            }}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A choice with its name, or a shorter one, in view before it. */
export function CaptionedChoice<T extends string | number>({
  className,
  caption,
  ...choice
}: SegmentedProps<T> & { readonly className: string; readonly caption: string }): ReactNode {
  return (
    <div className={className}>
      <span className="caption" aria-hidden="true">
        {caption}
      </span>
      <Segmented {...choice} />
    </div>
  );
}
