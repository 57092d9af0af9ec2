import { expect, test } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import {
  overlayLimits,
  type OverlayContent,
  type OverlayGeometry,
} from "../../../shared/overlays/overlay.ts";
import type { KeptFiles } from "../../platform/kept-files.ts";
import type { StoredValue } from "../../platform/stored-value.ts";
import { createViewerStore, type ViewerStore } from "../store.ts";
import {
  startOverlays,
  type ChosenFile,
  type OverlaySession,
  type SavedOverlays,
} from "./overlay-session.ts";

/** A browser, which keeps files and choices between two visits. */
class Browser {
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  saved: SavedOverlays | undefined;
  #ids = 0;

  visit(): { store: ViewerStore; session: OverlaySession } {
    const store = createViewerStore();
    const kept: KeptFiles = {
      load: (name) => Promise.resolve(this.files.get(name)),
      save: (name, bytes) => Promise.resolve(this.files.set(name, bytes).has(name)),
      remove: (name) => {
        this.files.delete(name);
        return Promise.resolve();
      },
    };
    const stored: StoredValue<SavedOverlays> = {
      load: () => this.saved,
      save: (value) => {
        this.saved = value;
        return true;
      },
    };
    const session = startOverlays({
      store,
      parse: readWords,
      files: kept,
      stored,
      now: () => 1_000,
      createId: () => `id-${this.#ids++}`,
    });
    return { store, session };
  }
}

/** A reader for which a file is a point with the words of the file. */
function readWords(bytes: Uint8Array): Promise<OverlayContent> {
  const label = new TextDecoder().decode(bytes);
  if (label === "broken") return Promise.reject(new AppError("invalid-input", "It is broken."));
  const geometry: OverlayGeometry = { type: "Point", coordinates: [-95, 42] };
  return Promise.resolve({ format: "geojson", shapes: [{ geometry, label }], notes: [] });
}

function fileOf(name: string, words: string, size = words.length): ChosenFile {
  const bytes = new TextEncoder().encode(words);
  return { name, size, arrayBuffer: () => Promise.resolve(bytes.slice().buffer) };
}

const labelsOf = (store: ViewerStore): (string | undefined)[] =>
  store.getState().overlays.map(({ content }) => content?.shapes[0]?.label);

test("a file has a name of one line, whatever its own is", async () => {
  const { store, session } = new Browser().visit();
  await session.addFiles([fileOf("a\n\u202eb.txt", "alpha")]);
  expect(store.getState().overlays.map(({ name }) => name)).toEqual(["a b.txt"]);
});

test("a file is there again at the next visit, with the person's choices", async () => {
  const browser = new Browser();
  const first = browser.visit();
  await first.session.addFiles([fileOf("a.txt", "alpha"), fileOf("b.txt", "beta")]);
  const [a] = first.store.getState().overlays;
  first.store.getState().chooseForOverlay(a!.id, { isOn: false, rule: { kind: "within", minutes: 30 } });
  first.store.getState().moveOverlay(a!.id, 1);

  const { store } = browser.visit();
  await expect.poll(() => labelsOf(store)).toEqual(["beta", "alpha"]);
  expect(store.getState().overlays[1]).toMatchObject({
    name: "a.txt",
    isOn: false,
    rule: { kind: "within", minutes: 30 },
    readAtMs: 1_000,
  });
});

test("a file that cannot be read says why, and the others stay", async () => {
  const { store, session } = new Browser().visit();
  await session.addFiles([fileOf("a.txt", "alpha"), fileOf("bad.txt", "broken"), fileOf("b.txt", "beta")]);
  expect(labelsOf(store)).toEqual(["alpha", undefined, "beta"]);
  expect(store.getState().overlays[1]).toMatchObject({ problem: "It is broken.", isKept: false });
});

test("a file beyond the limit is refused before it is read", async () => {
  const { store, session } = new Browser().visit();
  await session.addFiles([fileOf("large.txt", "alpha", overlayLimits.bytes + 1)]);
  expect(labelsOf(store)).toEqual([undefined]);
  expect(store.getState().overlays[0]!.problem).toBe("The file has 6 MB; at most 5 MB can be shown.");
});

test("a file of the same name takes the place of the one before", async () => {
  const browser = new Browser();
  const { store, session } = browser.visit();
  await session.addFiles([fileOf("a.txt", "alpha"), fileOf("b.txt", "beta")]);
  await session.addFiles([fileOf("a.txt", "changed")]);
  expect(labelsOf(store)).toEqual(["changed", "beta"]);
  expect(browser.files.size).toBe(2);
});

test("a removed overlay leaves nothing behind", async () => {
  const browser = new Browser();
  const { store, session } = browser.visit();
  await session.addFiles([fileOf("a.txt", "alpha")]);
  session.remove(store.getState().overlays[0]!.id);
  await expect.poll(() => browser.files.size).toBe(0);
  expect(browser.saved).toEqual([]);
});
