// Overlays that the host holds for the page: the addresses and folders of a person, and the files kept with an event.
// The host never interprets their bytes. Operations: `listOverlays`, `getOverlayFile`, `listKeptOverlays` and
// `getKeptOverlay`; actions: `overlays.list`, `.add`, `.change`, `.remove` and `.fetchPreset`.
import * as z from "zod";
import { EventId, Instant } from "./primitives.ts";

export const overlaySourceLimits = {
  /** Addresses and folders of a person. */
  sources: 32,
  /** Files of a folder; the newest are taken. */
  folderFiles: 24,
  minSeconds: 30,
  maxSeconds: 3_600,
  /** Files kept with one event. */
  kept: 8,
} as const;

/** Hexadecimal SHA-256 of a file's bytes; also its address, because the bytes behind it never change. */
export const OverlaySha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const OverlayId = z.string().regex(/^[a-z0-9]{1,32}$/);

/** Matches text without control characters, line breaks and marks that turn the direction of writing. */
export const visibleLine = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

/** One line that a person reads in lists. */
export const OverlayTitle = z
  .string()
  .max(120, "A name must not exceed 120 characters")
  .regex(/\S/, "A name must not be empty")
  .regex(visibleLine, "A name must be one line of visible text");

/** An address that the host asks again and again. */
export const OverlayAddress = z.strictObject({
  kind: z.literal("address"),
  url: z.url({ protocol: /^https?$/, error: "The address must begin with https:// or http://" }).max(2_048),
  everySeconds: z.int().min(overlaySourceLimits.minSeconds).max(overlaySourceLimits.maxSeconds),
  /** Allows an address inside this computer or its network. */
  allowPrivate: z.boolean(),
});
export type OverlayAddress = z.infer<typeof OverlayAddress>;

/** A folder that the host watches. */
export const OverlayFolder = z.strictObject({
  kind: z.literal("folder"),
  /** Absolute path. */
  path: z.string().min(1).max(4_096),
  /** Count of the newest files; null for each file of a supported form, up to `folderFiles`. */
  newest: z.int().min(1).max(overlaySourceLimits.folderFiles).nullable(),
});
export type OverlayFolder = z.infer<typeof OverlayFolder>;

export const OverlaySource = z.discriminatedUnion("kind", [OverlayAddress, OverlayFolder]);
export type OverlaySource = z.infer<typeof OverlaySource>;

/** A person's choice. `on` is false while nothing is to be asked or watched. */
export const OverlayDraft = z.strictObject({ name: OverlayTitle, on: z.boolean(), source: OverlaySource });
export type OverlayDraft = z.infer<typeof OverlayDraft>;

export const ConfiguredOverlay = OverlayDraft.extend({ id: OverlayId });
export type ConfiguredOverlay = z.infer<typeof ConfiguredOverlay>;

export const OverlayRef = z.strictObject({ id: OverlayId });
export type OverlayRef = z.infer<typeof OverlayRef>;

export const overlayStates = [
  "off",
  /** Nothing was read yet. */
  "starting",
  "current",
  /** The last attempt failed; files of an earlier one stay. */
  "failing",
] as const;

/** A file of an address or folder, as it was read last. */
export const OverlayFile = z
  .object({
    /** Name without folders, which tells the form if the content does not; for an address the overlay's. */
    name: z.string(),
    sha256: OverlaySha256,
    byteLength: z.int().min(0),
    /** When these bytes were last found to be current. */
    readAt: Instant,
    /** When the source says they were changed; null if it does not. */
    modifiedAt: Instant.nullable(),
  })
  .meta({ id: "OverlayFile" });
export type OverlayFile = z.infer<typeof OverlayFile>;

/** Health of an address or folder. Without the run's token, so nothing of an address but its host is here. */
export const OverlayHealth = z
  .object({
    id: OverlayId,
    name: z.string(),
    kind: z.enum(["address", "folder"]),
    /** Host of an address, or last part of a folder's path. */
    place: z.string(),
    state: z.enum(overlayStates),
    /** When the source last answered; null before. */
    lastReadAt: Instant.nullable(),
    /** The first failure since it last answered; null if it answers. */
    failingSince: Instant.nullable(),
    /** A sentence for a person; null if nothing is wrong. */
    problem: z.string().nullable(),
    /** When an address is asked next; null for folders, and if it is off. */
    nextAt: Instant.nullable(),
    /** One for an address; for a folder by time of change, newest first. */
    files: z.array(OverlayFile),
  })
  .meta({ id: "OverlayHealth" });
export type OverlayHealth = z.infer<typeof OverlayHealth>;

export const OverlayList = z.object({ overlays: z.array(OverlayHealth) }).meta({ id: "OverlayList" });
export type OverlayList = z.infer<typeof OverlayList>;

export const overlayPresets = ["nws-alerts", "iem-warnings", "iem-reports"] as const;
export const OverlayPreset = z.enum(overlayPresets).meta({ id: "OverlayPreset" });
export type OverlayPreset = z.infer<typeof OverlayPreset>;

/** `made-up` belongs to a synthetic event, and says so in its title. */
export const OverlayNature = z.enum(["official", "made-up"]).meta({ id: "OverlayNature" });
export type OverlayNature = z.infer<typeof OverlayNature>;

/** Unique within its event: the preset's name, or one given by the program. */
export const KeptOverlayName = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/);

/** A file that is kept with an event. */
export const KeptOverlay = z
  .object({
    name: KeptOverlayName,
    title: OverlayTitle,
    /** Null for overlays that were not fetched. */
    preset: OverlayPreset.nullable(),
    nature: OverlayNature,
    /** Address of the bytes without credentials; for made-up ones the name of the generator. */
    source: z.string().min(1).max(2_048),
    fetchedAt: Instant,
    /** Observed times that it covers, both included. */
    from: Instant,
    to: Instant,
    sha256: OverlaySha256,
    byteLength: z.int().min(1),
  })
  .meta({ id: "KeptOverlay" });
export type KeptOverlay = z.infer<typeof KeptOverlay>;

/** Kept overlays by name. */
export const KeptOverlayList = z
  .object({ overlays: z.array(KeptOverlay).max(overlaySourceLimits.kept) })
  .meta({ id: "KeptOverlayList" });
export type KeptOverlayList = z.infer<typeof KeptOverlayList>;

export const FetchPresetInput = z.strictObject({ eventId: EventId, preset: OverlayPreset });
export type FetchPresetInput = z.infer<typeof FetchPresetInput>;
