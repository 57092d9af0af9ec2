// The overlays of a person: their choices in the settings, and the readers that follow them while the host runs.
import { isAbsolute } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import {
  overlaySourceLimits,
  type ConfiguredOverlay,
  type OverlayDraft,
} from "../../../shared/contract/overlays.ts";
import { createClosableMutex } from "../../platform/locks/mutex.ts";
import { createOverlayReaders, type OverlayFiles } from "../../sources/overlays/overlay-readers.ts";
import type { AddressEffects } from "../../sources/overlays/address-reader.ts";
import type { SettingsFile } from "../config/settings.ts";

export interface OverlaySwitch extends OverlayFiles {
  readonly choices: () => readonly ConfiguredOverlay[];
  /** @throws AppError `invalid-input`; `conflict` if there are too many; `storage-failed` */
  readonly add: (draft: OverlayDraft) => Promise<ConfiguredOverlay>;
  /** @throws AppError `invalid-input`; `not-found`; `storage-failed` */
  readonly change: (overlay: ConfiguredOverlay) => Promise<ConfiguredOverlay>;
  /** @throws AppError `not-found`; `storage-failed` */
  readonly remove: (id: string) => Promise<void>;
  /** The next run of the host reads the overlays again. Idempotent. */
  readonly close: () => Promise<void>;
}

export interface OverlaySwitchOptions {
  readonly settings: SettingsFile;
  readonly effects: AddressEffects;
  /** False in a process that serves no viewer of a person: the choices stay, and nothing is read. */
  readonly isReading: boolean;
}

export async function openOverlaySwitch(options: OverlaySwitchOptions): Promise<OverlaySwitch> {
  const { settings, effects, isReading } = options;
  const readers = createOverlayReaders(effects);
  const changes = createClosableMutex();
  const choices = (): readonly ConfiguredOverlay[] => settings.current().overlays;
  const follow = async (): Promise<void> => {
    if (isReading) await readers.follow(choices());
  };
  const save = (change: (present: readonly ConfiguredOverlay[]) => ConfiguredOverlay[]): Promise<void> =>
    changes.run(async () => {
      await settings.change({ overlays: change(choices()) });
      await follow();
    });
  await follow();
  return {
    choices,
    list: readers.list,
    find: readers.find,
    async add(draft) {
      requireUsable(draft);
      const overlay = { ...draft, id: crypto.randomUUID().replaceAll("-", "") };
      await save((present) => {
        if (present.length < overlaySourceLimits.sources) return [...present, overlay];
        throw new AppError("conflict", `There are ${present.length} overlays, the most that can be read.`);
      });
      return overlay;
    },
    async change(overlay) {
      requireUsable(overlay);
      await save((present) => {
        requireKnown(present, overlay.id);
        return present.map((each) => (each.id === overlay.id ? overlay : each));
      });
      return overlay;
    },
    async remove(id) {
      await save((present) => {
        requireKnown(present, id);
        return present.filter((each) => each.id !== id);
      });
    },
    close: () => changes.close(readers.close),
  };
}

function requireUsable({ source }: OverlayDraft): void {
  if (source.kind === "folder" && !isAbsolute(source.path)) {
    throw new AppError("invalid-input", "The folder must be given with its whole path.");
  }
}

function requireKnown(overlays: readonly ConfiguredOverlay[], id: string): void {
  if (!overlays.some((each) => each.id === id)) throw new AppError("not-found", "There is no such overlay.");
}
