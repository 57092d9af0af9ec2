// The looks of the four kinds of nothing, as in the probe.
import type { ReactNode } from "react";
import { belowHailWords } from "../../text/story-text.ts";
import { useViewerState } from "../../viewer-context.ts";

export function StoryLegend(): ReactNode {
  const hailUnits = useViewerState((state) => state.hailUnits);
  const kinds = [
    { look: "no-echo", words: belowHailWords(hailUnits) },
    { look: "no-coverage", words: "outside coverage" },
    { look: "not-received", words: "not delivered" },
    { look: "failed", words: "failed to load" },
  ];
  return (
    <ul className="story-legend caption" aria-label="Windows without a class">
      {kinds.map(({ look, words }) => (
        <li key={look} className={`probe-${look}`} title={words}>
          <span className="probe-swatch" aria-hidden="true" />
          <span className="story-legend-words">{words}</span>
        </li>
      ))}
    </ul>
  );
}
