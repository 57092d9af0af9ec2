import { expect, test } from "vitest";
import { exampleEventId, exampleStore, instantOf, steadyFrames } from "../../support/example-data.ts";
import { planLoop } from "./loop-plan.ts";
import { toComment, toXmp } from "./loop-tags.ts";

test("the tags name the palette that was chosen, and say that a storm motion is no forecast", () => {
  const store = exampleStore(steadyFrames(3));
  const describe = (): string[] => {
    const plan = planLoop(store.getState())!;
    return [toComment(plan), toXmp(plan)];
  };
  for (const words of describe()) expect(words).not.toMatch(/Colors:|forecast/);
  store.getState().setPalette("color-blind");
  store.getState().toggleTool("motion", exampleEventId);
  store.getState().addToolPoint({ coordinate: [-96, 42], observedMs: Date.parse(instantOf(0)) });
  store.getState().addToolPoint({ coordinate: [-95.9, 42], observedMs: Date.parse(instantOf(4)) });
  for (const words of describe()) {
    expect(words).toMatch(/^Colors: Color-blind$/m);
    expect(words).toMatch(/^Not a forecast: storm motion if it keeps its speed and path$/m);
  }
});
