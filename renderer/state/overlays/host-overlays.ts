// Follows the overlays that the host has: those kept with the events on screen, and those of addresses and folders.
// Reads a file again only when its bytes are others.
import { isAppError } from "../../../shared/app-error.ts";
import type { KeptOverlay, OverlayFile, OverlayHealth } from "../../../shared/contract/overlays.ts";
import type { HeldOverlayClient } from "../../api/held-overlays.ts";
import { schedule } from "../../platform/page-effects.ts";
import { hostOverlaysMs, startingOverlayMs } from "../../platform/viewer-limits.ts";
import type { PanesStore } from "../panes/pane-store.ts";
import { isUnderWay } from "../slices/tasks-slice.ts";
import type { ViewerState, ViewerStore } from "../store.ts";
import { sortOf, type Overlay, type OverlayChoice, type OverlayDraft } from "./held-overlay.ts";
import type { ParseOverlay } from "./overlay-session.ts";

export interface HostOverlayParts {
  readonly store: ViewerStore;
  readonly panes: PanesStore;
  readonly client: HeldOverlayClient;
  readonly parse: ParseOverlay;
  /** Finds what the person chose for an overlay at an earlier visit. */
  readonly findChoice: (id: string) => OverlayChoice | undefined;
  /** True at a service for everybody, whose lists are read only when an event is chosen. */
  readonly isPublic: boolean;
}

/** A file of the host, and what is known of it without its bytes. */
interface Found {
  readonly draft: OverlayDraft;
  readonly sha256: string;
  readonly read: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export interface HostOverlays {
  /** Reads the lists again at once; resolves when they were read. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
}

export function followHostOverlays({
  store,
  panes,
  client,
  parse,
  findChoice,
  isPublic,
}: HostOverlayParts): HostOverlays {
  /** Hash of the bytes that each overlay shows. */
  const shown = new Map<string, string>();
  let isClosed = false;
  let cancel = (): void => undefined;
  let running: Promise<void> | undefined;
  /** True if the lists may have changed since they were asked for. */
  let isStale = false;
  let isStarting = false;

  async function readAll(): Promise<void> {
    const events = new Set(
      panes.getState().panes.flatMap(({ store: pane }) => pane.getState().selectedEventId ?? []),
    );
    const kept = await Promise.all(
      [...events].map(async (eventId) => {
        const list = await client.listKept(eventId);
        return list?.overlays.map((overlay) => toKept(eventId, overlay, client));
      }),
    );
    const list = await client.listHeld();
    const held = list?.overlays.flatMap((health) => toHeld(health, client));
    isStarting = list?.overlays.some(({ state }) => state === "starting") ?? false;
    // A list that does not come leaves everything as it was.
    if (held && kept.every((list) => list !== undefined)) keepOnly([...kept.flat(), ...held]);
    for (const found of [...kept.flatMap((list) => list ?? []), ...(held ?? [])]) await show(found);
  }

  function keepOnly(found: readonly Found[]): void {
    const ids = new Set(found.map(({ draft }) => draft.id));
    for (const { id, place } of store.getState().overlays) {
      if (place !== "host" || ids.has(id)) continue;
      shown.delete(id);
      store.getState().removeOverlay(id);
    }
  }

  async function show({ draft, sha256, read }: Found): Promise<void> {
    const { overlays, putOverlay } = store.getState();
    const last = overlays.find(({ id }) => id === draft.id);
    const chosen = last ? undefined : findChoice(draft.id);
    if (shown.get(draft.id) === sha256) {
      if (last && isChanged(draft, last)) putOverlay(draft);
      return;
    }
    const bytes = sha256 === "" ? undefined : await read();
    if (isClosed) return;
    if (!bytes) {
      shown.delete(draft.id);
      putOverlay({ ...draft, ...chosen });
      return;
    }
    shown.set(draft.id, sha256);
    try {
      const content = await parse(bytes, draft.name);
      const origin = draft.origin ?? (sortOf(content) === "shapes" ? "own" : "official");
      putOverlay({ ...draft, ...chosen, origin, content, problem: undefined });
    } catch (error) {
      if (!isAppError(error)) throw error;
      // The content that was read before stays, with the reason.
      putOverlay({ ...draft, ...chosen, problem: error.message });
    }
  }

  async function readOnce(): Promise<void> {
    try {
      await readAll();
    } finally {
      running = undefined;
      if (!isClosed && isStale) await refresh();
      else if (!isClosed && !isPublic)
        cancel = schedule(isStarting ? startingOverlayMs : hostOverlaysMs, () => void refresh());
    }
  }

  function refresh(): Promise<void> {
    cancel();
    isStale = running !== undefined;
    running ??= readOnce();
    return running;
  }

  const stop = store.subscribe((state, previous) => {
    const isOther = state.selectedEventId !== previous.selectedEventId;
    if (isOther || countFetches(state) < countFetches(previous)) void refresh();
  });
  void refresh();
  return {
    refresh,
    close: () => {
      isClosed = true;
      cancel();
      stop();
    },
  };
}

function countFetches({ tasks }: ViewerState): number {
  return tasks.filter((task) => task.kind === "overlay-fetch" && isUnderWay(task)).length;
}

function isChanged({ feed, ...draft }: OverlayDraft, last: Overlay): boolean {
  return (
    Object.entries(draft).some(([key, value]) => last[key as keyof Overlay] !== value) ||
    JSON.stringify(feed) !== JSON.stringify(last.feed)
  );
}

function toKept(eventId: string, overlay: KeptOverlay, client: HeldOverlayClient): Found {
  const { name, title, nature, fetchedAt, sha256 } = overlay;
  return {
    draft: {
      id: `kept-${eventId}-${name}`,
      name: title,
      place: "host",
      eventId,
      origin: nature === "made-up" ? "synthetic" : "official",
      readAtMs: Date.parse(fetchedAt),
    },
    sha256,
    read: () => client.readKept(eventId, sha256),
  };
}

/** An address without a file yet has a row too, which says why. */
function toHeld(health: OverlayHealth, client: HeldOverlayClient): Found[] {
  const { id, name, kind, place, state, files, failingSince, problem } = health;
  const common = {
    place: "host",
    feed: { id, kind, place, isRead: state !== "off", problem: problem ?? undefined },
    untimed: kind === "address" ? "now" : "always",
    unreachedSinceMs: failingSince === null ? undefined : Date.parse(failingSince),
  } as const;
  if (files.length === 0) {
    const kept = state === "off" ? { content: undefined, readAtMs: undefined } : {};
    const draft = { ...common, ...kept, id: `held-${id}`, name };
    return [{ draft, sha256: "", read: () => Promise.resolve(undefined) }];
  }
  return files.map((file: OverlayFile): Found => ({
    draft: {
      ...common,
      id: kind === "address" ? `held-${id}` : `held-${id}-${file.name}`,
      name: kind === "address" ? name : file.name,
      readAtMs: Date.parse(file.readAt),
    },
    sha256: file.sha256,
    read: () => client.readHeld(file.sha256),
  }));
}
