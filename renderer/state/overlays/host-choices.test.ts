import { expect, test } from "vitest";
import type { StoredValue } from "../../platform/stored-value.ts";
import { keptHostChoices } from "../../platform/viewer-limits.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";
import type { OverlayChoice } from "./held-overlay.ts";
import { keepHostChoices, type HostChoices } from "./host-choices.ts";

/** A browser, which keeps choices between two visits. */
class Browser {
  saved: HostChoices | undefined;

  visit(): { store: ViewerStore; find: (id: string) => OverlayChoice | undefined } {
    const stored: StoredValue<HostChoices> = {
      load: () => this.saved,
      save: (value) => {
        this.saved = value;
        return true;
      },
    };
    const store = createViewerStore();
    return { store, find: keepHostChoices(store, stored) };
  }
}

test("finds at the next visit what was chosen for an overlay of the host, and nothing of the others", () => {
  const browser = new Browser();
  const { store } = browser.visit();
  for (const id of ["touched", "untouched"]) store.getState().putOverlay({ id, name: id, place: "host" });
  store.getState().putOverlay({ id: "file", name: "file" });
  store.getState().chooseForOverlay("touched", { isOn: false, rule: { kind: "within", minutes: 30 } });
  store.getState().chooseForOverlay("file", { isOn: false });
  const { find } = browser.visit();
  expect(find("touched")).toMatchObject({
    isOn: false,
    rule: { kind: "within", minutes: 30 },
    color: "teal",
  });
  expect([find("untouched"), find("file")]).toEqual([undefined, undefined]);
});

test("keeps the choices made last, up to the limit", () => {
  const browser = new Browser();
  const { store, find } = browser.visit();
  for (let index = 0; index <= keptHostChoices; index++) {
    store.getState().putOverlay({ id: `held-${index}`, name: "Spotters", place: "host" });
    store.getState().chooseForOverlay(`held-${index}`, { isOn: false });
  }
  expect(browser.saved).toHaveLength(keptHostChoices);
  expect([find("held-0"), find(`held-${keptHostChoices}`)?.isOn]).toEqual([undefined, false]);
});
