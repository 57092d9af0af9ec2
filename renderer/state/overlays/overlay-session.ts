// Reads the overlays that a person adds, and keeps them over a visit: the files in the browser's private storage, the
// choices in local storage. Files never leave the page.
import * as z from "zod";
import { isAppError } from "../../../shared/app-error.ts";
import { overlayLimits, type OverlayContent, type TimeRule } from "../../../shared/overlays/overlay.ts";
import { toPlainName } from "../../../shared/overlays/reading/plain-text.ts";
import type { KeptFiles } from "../../platform/kept-files.ts";
import type { StoredValue } from "../../platform/stored-value.ts";
import { keptOverlays } from "../../platform/viewer-limits.ts";
import type { ViewerStore } from "../store.ts";
import { overlayColors, type Overlay } from "./held-overlay.ts";

export const SavedRule = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["valid-at", "always", "now"]) }),
  z.object({ kind: z.literal("within"), minutes: z.literal([15, 30, 60]) }),
]) satisfies z.ZodType<TimeRule>;

export const SavedOverlays = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    isOn: z.boolean(),
    rule: SavedRule.optional(),
    color: z.enum(overlayColors),
    hasFileColors: z.boolean(),
    readAtMs: z.number(),
    byteLength: z.number(),
  }),
);
export type SavedOverlays = z.infer<typeof SavedOverlays>;

export const savedOverlaysKey = "echotop.overlays";

/** A file as the page has it. */
export type ChosenFile = Pick<File, "name" | "size" | "arrayBuffer">;

export type ParseOverlay = (bytes: Uint8Array<ArrayBuffer>, name: string) => Promise<OverlayContent>;

export interface OverlaySession {
  /** Adds files, each in the place of one of the same name. What cannot be read says why in its row. */
  readonly addFiles: (files: readonly ChosenFile[]) => Promise<void>;
  readonly remove: (id: string) => void;
}

export interface OverlaySessionParts {
  readonly store: ViewerStore;
  readonly parse: ParseOverlay;
  readonly files: KeptFiles;
  readonly stored: StoredValue<SavedOverlays>;
  readonly now: () => number;
  readonly createId: () => string;
}

export function startOverlays(parts: OverlaySessionParts): OverlaySession {
  const { store, parse, files, stored, now, createId } = parts;
  /** Sizes of the files that are kept. */
  const keptBytes = new Map<string, number>();

  async function read(
    id: string,
    name: string,
    bytes: Uint8Array<ArrayBuffer>,
    readAtMs: number,
  ): Promise<boolean> {
    try {
      const content = await parse(bytes, name);
      store.getState().putOverlay({ id, name, content, readAtMs, problem: undefined });
      return true;
    } catch (error) {
      if (!isAppError(error)) throw error;
      store.getState().putOverlay({ id, name, content: undefined, problem: error.message });
      return false;
    }
  }

  async function add(file: ChosenFile): Promise<void> {
    const { overlays, putOverlay } = store.getState();
    const name = toPlainName(file.name);
    const id = overlays.find((other) => other.place === "page" && other.name === name)?.id ?? createId();
    putOverlay({ id, name, isOn: true, isKept: false, problem: undefined });
    if (file.size > overlayLimits.bytes) {
      await forget(id);
      putOverlay({ id, name, content: undefined, problem: tooLarge(file.size) });
      return;
    }
    const bytes = await readBytes(file);
    if (!bytes) putOverlay({ id, name, content: undefined, problem: unreadable });
    if (!bytes || !(await read(id, name, bytes, now()))) {
      await forget(id);
      return;
    }
    const others = [...keptBytes].reduce((sum, [other, size]) => sum + (other === id ? 0 : size), 0);
    const hasRoom = keptBytes.size < keptOverlays.files && others + bytes.length <= keptOverlays.bytes;
    const isKept = hasRoom && (await files.save(id, bytes));
    // The person may have removed it meanwhile.
    if (!store.getState().overlays.some((overlay) => overlay.id === id)) {
      await files.remove(id);
      return;
    }
    if (isKept) keptBytes.set(id, bytes.length);
    putOverlay({ id, name, isKept });
  }

  async function restore(): Promise<void> {
    const saved = stored.load() ?? [];
    for (const { byteLength, ...choices } of saved) {
      keptBytes.set(choices.id, byteLength);
      store.getState().putOverlay({ ...choices, rule: choices.rule, isKept: true });
    }
    for (const { id, name, readAtMs } of saved) {
      const bytes = await files.load(id);
      if (bytes) await read(id, name, bytes, readAtMs);
      else remove(id);
    }
  }

  async function forget(id: string): Promise<void> {
    if (keptBytes.delete(id)) await files.remove(id);
  }

  function remove(id: string): void {
    store.getState().removeOverlay(id);
    void forget(id);
  }

  void restore();
  store.subscribe(({ overlays }, previous) => {
    if (overlays !== previous.overlays) stored.save(toSaved(overlays, keptBytes));
  });
  return {
    addFiles: async (chosen) => {
      for (const file of chosen) await add(file);
    },
    remove,
  };
}

const unreadable = "The file cannot be read. Check that it is still there.";

async function readBytes(file: ChosenFile): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    // A folder, or a file that was moved meanwhile.
    return undefined;
  }
}

function toSaved(overlays: readonly Overlay[], keptBytes: ReadonlyMap<string, number>): SavedOverlays {
  return overlays
    .filter(({ isKept }) => isKept)
    .map(({ id, name, isOn, rule, color, hasFileColors, readAtMs = 0 }) => ({
      ...{ id, name, isOn, color, hasFileColors, readAtMs },
      ...(rule && { rule }),
      byteLength: keptBytes.get(id) ?? 0,
    }));
}

function tooLarge(size: number): string {
  const inMb = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;
  return `The file has ${inMb(size)}; at most ${inMb(overlayLimits.bytes)} can be shown.`;
}
