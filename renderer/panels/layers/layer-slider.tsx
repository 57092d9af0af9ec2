// A slider of a layer with its words and its value above it.
import type { ReactNode } from "react";

export interface LayerSliderProps {
  /** Accessible name. */
  readonly name: string;
  readonly words: string;
  /** 0 to `max`. */
  readonly value: number;
  readonly valueWords: string;
  readonly max: number;
  readonly step: number;
  /** The part of the track that is on; default "below" the value. */
  readonly fill?: "below" | "above";
  readonly onChange: (value: number) => void;
}

export function LayerSlider(props: LayerSliderProps): ReactNode {
  const { name, words, value, valueWords, max, step, fill, onChange } = props;
  return (
    <div className="layer-slider">
      <span className="layer-slider-words" aria-hidden="true">
        {words} <span>{valueWords}</span>
      </span>
      <input
        type="range"
        className={fill === "above" ? "range from" : "range"}
        aria-label={name}
        aria-valuetext={valueWords}
        title={`${words} ${valueWords}`}
        min={0}
        max={max}
        step={step}
        value={value}
        style={{ "--fill": `${(value / max) * 100}%` }}
        onChange={(event) => {
          onChange(Number(event.target.value));
        }}
      />
    </div>
  );
}
