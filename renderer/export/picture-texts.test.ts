import { expect, test } from "vitest";
import {
  exampleEvent,
  exampleEventId,
  exampleStore,
  instantOf,
  steadyFrames,
} from "../support/example-data.ts";
import { pictureKeyword } from "../../shared/contract/frame-format.ts";
import { toPictureName, toPictureTexts } from "./picture-texts.ts";

function textsOf(label: string, sequence = 3): Readonly<Record<string, string>> {
  const store = exampleStore(steadyFrames(3));
  store.getState().receiveEvents([exampleEvent({ label })]);
  store.getState().goTo(sequence);
  const texts = toPictureTexts({ states: [store.getState()], link: "echotop://view?v=1" });
  return Object.fromEntries(texts.map(({ keyword, text }) => [keyword, text]));
}

test("a picture names its event, revision and time, and whose the data is", () => {
  const texts = textsOf("Iowa", 2);
  expect(texts.Title).toMatch(/^Iowa, revision 2 of 3, observed \d+ \w+ \d{4} \d\d:\d\d:\d\d UTC$/);
  expect(texts.Copyright).toContain("GeoNames (CC BY 4.0)");
  expect(JSON.parse(texts[pictureKeyword]!)).toMatchObject({
    format: "echotop-picture",
    maps: [{ event: { label: "Iowa" }, revision: { sequence: 2 }, layers: [{}, {}] }],
    link: "echotop://view?v=1",
  });
});

test.each([
  ["Iowa (synthetic)", "Synthetic: these storms never happened"],
  ["Iowa (replay)", "Replay of a past event, not live"],
])("the nature of %s stands in the description and in the title", (label, words) => {
  const texts = textsOf(label);
  expect(texts.Description).toContain(words);
  expect(texts.Title).toContain(label);
});

test("a view as known at an earlier revision says so", () => {
  const store = exampleStore(steadyFrames(3));
  store.getState().setKnownAt(2);
  const texts = toPictureTexts({ states: [store.getState()] });
  expect(texts.find(({ keyword }) => keyword === "Description")?.text).toContain("As known at revision 2");
});

test("a storm motion on the map is said to be no forecast, once its two clicks are made", () => {
  const store = exampleStore(steadyFrames(3));
  const describe = (): string | undefined =>
    toPictureTexts({ states: [store.getState()] }).find(({ keyword }) => keyword === "Description")?.text;
  const click = (longitude: number, minute: number): void => {
    const observedMs = Date.parse(instantOf(minute));
    store.getState().addToolPoint({ coordinate: [longitude, 42], observedMs });
  };
  store.getState().toggleTool("motion", exampleEventId);
  click(-96, 0);
  expect(describe()).not.toContain("forecast");
  click(-95.9, 4);
  expect(describe()).toMatch(/\. Not a forecast: storm motion if it keeps its speed and path$/);
  store.setState({ selectedEventId: "another" });
  expect(describe()).not.toContain("forecast");
});

test("the name of the file has event and revision, and counts the maps of several panes", () => {
  const state = exampleStore(steadyFrames(3)).getState();
  expect(toPictureName([state])).toBe("echotop-iowa-rev3.png");
  expect(toPictureName([state, state])).toBe("echotop-iowa-rev3-2-panes.png");
});
