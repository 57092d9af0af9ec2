// The running overlays of a person: starts, replaces and ends their readers, and answers with their health and files.
import { basename } from "node:path";
import type {
  ConfiguredOverlay,
  OverlayHealth,
  OverlayList,
  OverlaySource,
} from "../../../shared/contract/overlays.ts";
import { startAddressReader, type AddressEffects } from "./address-reader.ts";
import { startFolderReader } from "./folder-reader.ts";
import type { Lookup } from "./guarded-fetch.ts";
import { toOverlayFile } from "./held-files.ts";
import { untouched, type OverlayReader } from "./overlay-source.ts";

/** Overlays as the page reads them. */
export interface OverlayFiles {
  readonly list: () => OverlayList;
  /** Returns undefined for bytes that no overlay has at the moment. */
  readonly find: (sha256: string) => Uint8Array | undefined;
}

export interface OverlayReaders extends OverlayFiles {
  /** Brings the readers in line with the choices; one whose source and name are the same goes on. */
  readonly follow: (overlays: readonly ConfiguredOverlay[]) => Promise<void>;
  /** Idempotent. */
  readonly close: () => Promise<void>;
}

interface Running {
  readonly overlay: ConfiguredOverlay;
  readonly reader: OverlayReader | undefined;
}

export function createOverlayReaders(effects: AddressEffects, lookup?: Lookup): OverlayReaders {
  let running: readonly Running[] = [];
  const start = (overlay: ConfiguredOverlay): Running => {
    const { name, on, source } = overlay;
    if (!on) return { overlay, reader: undefined };
    const reader =
      source.kind === "address"
        ? startAddressReader({ name, address: source, effects, lookup })
        : startFolderReader(name, source, effects);
    return { overlay, reader };
  };
  const follow = async (overlays: readonly ConfiguredOverlay[]): Promise<void> => {
    const before = running;
    const kept = new Set<Running>();
    running = overlays.map((overlay) => {
      const same = before.find((each) => JSON.stringify(each.overlay) === JSON.stringify(overlay));
      if (!same) return start(overlay);
      kept.add(same);
      return same;
    });
    await Promise.all(before.filter((each) => !kept.has(each)).map(async ({ reader }) => reader?.close()));
  };
  return {
    follow,
    list: () => ({ overlays: running.map(toHealth) }),
    find: (sha256) =>
      running.flatMap(({ reader }) => reader?.files() ?? []).find((file) => file.sha256 === sha256)?.bytes,
    close: () => follow([]),
  };
}

function toHealth({ overlay, reader }: Running): OverlayHealth {
  const { id, name, source } = overlay;
  const state = reader?.state() ?? untouched;
  const files = (reader?.files() ?? []).map(toOverlayFile);
  return { id, name, kind: source.kind, place: toPlace(source), state: toStateName(reader), ...state, files };
}

function toStateName(reader: OverlayReader | undefined): OverlayHealth["state"] {
  if (!reader) return "off";
  const { failingSince, lastReadAt } = reader.state();
  if (failingSince !== null) return "failing";
  return lastReadAt === null ? "starting" : "current";
}

/** An address may hold a token and a folder a person's name: only this much is shown without the run's token. */
function toPlace(source: OverlaySource): string {
  return source.kind === "address" ? new URL(source.url).host : basename(source.path);
}
