import { expect, test } from "vitest";
import { findProjector, toSize } from "./picture-sizes.ts";

const laptop = { width: 1440, height: 900, devicePixelRatio: 2 };
const beamer = { width: 1280, height: 720, devicePixelRatio: 1.5 };

test("the projector is the other display, in its own pixels", async () => {
  const getScreenDetails = () => Promise.resolve({ screens: [laptop, beamer], currentScreen: laptop });
  const size = { widthPx: 1920, heightPx: 1080 };
  await expect(findProjector({ screen: { isExtended: true }, getScreenDetails })).resolves.toEqual(size);
  expect(toSize("projector", { widthPx: 1, heightPx: 1 }, size)).toEqual(size);
});

test.each([
  ["one display", { screen: { isExtended: false } }, "Only one display is connected"],
  [
    "a browser that tells nothing",
    { screen: {} },
    "This browser does not tell the size of the other display",
  ],
  [
    "a person who refuses",
    { screen: { isExtended: true }, getScreenDetails: () => Promise.reject(new Error("denied")) },
    "This browser does not tell the size of the other display",
  ],
])("with %s the reason is given", async (_what, source, unavailable) => {
  await expect(findProjector(source)).resolves.toEqual({ unavailable });
});
