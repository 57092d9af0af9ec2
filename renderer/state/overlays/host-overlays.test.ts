import { expect, test } from "vitest";
import type { KeptOverlay, OverlayHealth } from "../../../shared/contract/overlays.ts";
import type { HeldOverlayClient } from "../../api/held-overlays.ts";
import { exampleEventId, exampleStore, steadyFrames } from "../../support/example-data.ts";
import { createPanesStore } from "../panes/pane-store.ts";
import type { ViewerStore } from "../store.ts";
import type { OverlayChoice } from "./held-overlay.ts";
import { followHostOverlays, type HostOverlays } from "./host-overlays.ts";

const kept: KeptOverlay = {
  name: "iem-warnings",
  title: "Warnings of the day",
  preset: "iem-warnings",
  nature: "official",
  source: "https://example.test/warnings",
  fetchedAt: "2024-05-21T00:00:00Z",
  from: "2024-05-20T21:00:00Z",
  to: "2024-05-20T22:00:00Z",
  sha256: "a".repeat(64),
  byteLength: 3,
};
const health: OverlayHealth = {
  id: "a1",
  name: "Spotters",
  kind: "address",
  place: "example.test",
  state: "current",
  lastReadAt: "2024-05-21T00:00:00Z",
  failingSince: null,
  problem: null,
  nextAt: null,
  files: [
    {
      name: "spotters.txt",
      sha256: "b".repeat(64),
      byteLength: 3,
      readAt: "2024-05-21T00:00:00Z",
      modifiedAt: null,
    },
  ],
};

/** A host with lists that a test changes; counts how often bytes are read. */
class Host {
  kept: KeptOverlay[] = [];
  held: OverlayHealth[] | undefined = [];
  choices: Readonly<Record<string, OverlayChoice>> = {};
  reads = 0;

  follow(): { store: ViewerStore; overlays: HostOverlays } {
    const read = (): Promise<Uint8Array<ArrayBuffer>> => {
      this.reads += 1;
      return Promise.resolve(new Uint8Array(3));
    };
    const client: HeldOverlayClient = {
      listKept: (eventId) => Promise.resolve({ overlays: eventId === exampleEventId ? this.kept : [] }),
      listHeld: () => Promise.resolve(this.held && { overlays: this.held }),
      readKept: read,
      readHeld: read,
    };
    const store = exampleStore(steadyFrames(2));
    const nothing = (): (() => void) => () => undefined;
    const panes = createPanesStore({ letter: "A", store, followPublished: nothing, retry: nothing });
    const parse = () => Promise.resolve({ format: "geojson" as const, shapes: [], notes: [] });
    const findChoice = (id: string): OverlayChoice | undefined => this.choices[id];
    const overlays = followHostOverlays({ store, panes, client, parse, findChoice, isPublic: false });
    return { store, overlays };
  }
}

test("shows what is kept with the event as official, and an address as being about now", async () => {
  const host = new Host();
  host.kept = [kept];
  host.held = [health];
  const { store, overlays } = host.follow();
  await expect.poll(() => store.getState().overlays.filter(({ content }) => content)).toHaveLength(2);
  overlays.close();
  expect(store.getState().overlays).toMatchObject([
    { name: "Warnings of the day", eventId: exampleEventId, origin: "official", untimed: "always" },
    { name: "Spotters", eventId: undefined, origin: "own", untimed: "now" },
  ]);
});

test("reads bytes again only when they are others, and keeps the last ones while a source is down", async () => {
  const host = new Host();
  host.held = [health];
  const { store, overlays } = host.follow();
  await expect.poll(() => store.getState().overlays[0]?.content).toBeDefined();
  host.held = [{ ...health, state: "failing", failingSince: "2024-05-21T00:05:00Z", problem: "It is down." }];
  void overlays.refresh();
  await expect
    .poll(() => store.getState().overlays[0]?.unreachedSinceMs)
    .toBe(Date.parse("2024-05-21T00:05:00Z"));
  expect(store.getState().overlays[0]?.content).toBeDefined();
  expect(host.reads).toBe(1);
  // The host does not answer: everything stays.
  host.held = undefined;
  void overlays.refresh();
  host.held = [];
  expect(store.getState().overlays).toHaveLength(1);
  overlays.close();
});

test("an address that is refused has a row with its sentence", async () => {
  const host = new Host();
  const failing = { state: "failing", failingSince: "2024-05-21T00:05:00Z" } as const;
  host.held = [{ ...health, ...failing, lastReadAt: null, problem: "It is private.", files: [] }];
  const { store, overlays } = host.follow();
  await expect.poll(() => store.getState().overlays).toHaveLength(1);
  overlays.close();
  expect(store.getState().overlays[0]).toMatchObject({
    name: "Spotters",
    content: undefined,
    feed: { id: "a1", kind: "address", place: "example.test", isRead: true, problem: "It is private." },
  });
});

test("keeps the row of an address that is no longer read, without its shapes, and reads it anew", async () => {
  const host = new Host();
  host.held = [health];
  const { store, overlays } = host.follow();
  await expect.poll(() => store.getState().overlays[0]?.content).toBeDefined();
  host.held = [{ ...health, state: "off", files: [] }];
  void overlays.refresh();
  await expect.poll(() => store.getState().overlays[0]?.feed?.isRead).toBe(false);
  expect(store.getState().overlays[0]?.content).toBeUndefined();
  host.held = [health];
  void overlays.refresh();
  await expect.poll(() => store.getState().overlays[0]?.content).toBeDefined();
  overlays.close();
});

test("shows an overlay as the person chose at an earlier visit", async () => {
  const host = new Host();
  host.held = [health];
  host.choices = { "held-a1": { isOn: false, color: "lime", rule: { kind: "always" } } };
  const { store, overlays } = host.follow();
  await expect.poll(() => store.getState().overlays[0]?.content).toBeDefined();
  overlays.close();
  expect(store.getState().overlays[0]).toMatchObject({
    isOn: false,
    color: "lime",
    rule: { kind: "always" },
  });
});

test("reads the lists at once when a preset was fetched", async () => {
  const host = new Host();
  const { store, overlays } = host.follow();
  const task = { id: "1", kind: "overlay-fetch", eventId: exampleEventId, message: "" } as const;
  store.getState().receiveTask({ ...task, state: "running", progress: { done: 0, total: 1 } });
  host.kept = [kept];
  store.getState().receiveTask({ ...task, state: "done", progress: { done: 1, total: 1 } });
  await expect.poll(() => store.getState().overlays[0]?.name).toBe("Warnings of the day");
  overlays.close();
});

test("takes away what the host no longer has", async () => {
  const host = new Host();
  host.held = [health];
  const { store, overlays } = host.follow();
  await expect.poll(() => store.getState().overlays[0]?.content).toBeDefined();
  host.held = [];
  await expect
    .poll(() => {
      void overlays.refresh();
      return store.getState().overlays;
    })
    .toEqual([]);
  overlays.close();
});
