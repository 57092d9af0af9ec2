// Event packs as the viewer shows them: hosted and received packs, invitations, and the changes between two versions.
// Only an invitation, which is shown once, contains a secret.
import * as z from "zod";
import { publicationKinds } from "../revisions/publication.ts";
import { EventId, Instant, ProductId, Sequence } from "./primitives.ts";

/** State of a listener that a person switches. `problem` is a sentence for a person. */
export const ListenerState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("off") }),
  /** `address` is an origin: `http://127.0.0.1:47801`. */
  z.object({ status: z.literal("on"), address: z.string() }),
  z.object({ status: z.literal("failed"), problem: z.string() }),
]);
export type ListenerState = z.infer<typeof ListenerState>;

/** The machine's own Git, which only hosting needs. `problem` says how to install it. */
export const HostingGit = z.discriminatedUnion("status", [
  z.object({ status: z.literal("found"), version: z.string() }),
  z.object({ status: z.literal("missing"), problem: z.string() }),
]);
export type HostingGit = z.infer<typeof HostingGit>;

export const HostingState = z.object({ listener: ListenerState, git: HostingGit });
export type HostingState = z.infer<typeof HostingState>;

/** The TLS listener for other machines. `fingerprint` is its certificate's, for people to compare. */
export const LanState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("off") }),
  z.object({ status: z.literal("on"), address: z.string(), fingerprint: z.string() }),
  z.object({ status: z.literal("failed"), problem: z.string() }),
]);
export type LanState = z.infer<typeof LanState>;

/** Storage of tokens for updates: the system's keychain, or memory for this run only. */
export const TokenKeeping = z.enum(["keychain", "memory"]);
export type TokenKeeping = z.infer<typeof TokenKeeping>;

export const PackShare = z.object({
  /** Address for others, without a secret. */
  remote: z.string(),
  lastPushedAt: Instant.nullable(),
  /** Number of revisions that the shared copy does not have yet. */
  pending: z.int().min(0),
  /** Reason why the shared copy is behind, as a sentence. */
  problem: z.string().nullable(),
});
export type PackShare = z.infer<typeof PackShare>;

export const PackOrigin = z.object({
  /** Address without a secret. */
  address: z.string(),
  lastGotAt: Instant.nullable(),
  /** True if a token for updates is stored. */
  hasToken: z.boolean(),
});
export type PackOrigin = z.infer<typeof PackOrigin>;

/** An event as a pack: every event with a revision is one, exported or not. */
export const Pack = z.object({
  eventId: EventId,
  label: z.string(),
  /** Made here, or received. */
  origin: z.enum(["own", "got"]),
  /** 0 before the first publication. */
  latestSequence: z.int().min(0),
  /** Newest revision in its local pack repository. */
  exportedSequence: Sequence.nullable(),
  /** Git commit of that revision, 40 hex digits. */
  commit: z.string().nullable(),
  shared: PackShare.nullable(),
  gotFrom: PackOrigin.nullable(),
});
export type Pack = z.infer<typeof Pack>;

export const PackList = z.object({
  hosting: HostingState,
  lan: LanState,
  tokens: TokenKeeping,
  packs: z.array(Pack),
});
export type PackList = z.infer<typeof PackList>;

export const PackRef = z.strictObject({ eventId: EventId });
export type PackRef = z.infer<typeof PackRef>;

/** A repository's token of any service: visible ASCII characters. */
const PackToken = z
  .string()
  .trim()
  .max(512)
  .regex(/^[\x21-\x7e]+$/);

/** HTTP or HTTPS address of a repository, or a pairing code. A secret in it would appear in lists and logs. */
export const PackAddress = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  .refine((text) => !/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text), {
    message: "The address must not contain a user name or token; the token has its own field",
  })
  .refine((text) => !text.includes("art_v1_"), {
    message: "The address must not contain a token; the token has its own field",
  });
export type PackAddress = z.infer<typeof PackAddress>;

export const inviteTtl = { minSeconds: 60, maxSeconds: 31_536_000, defaultSeconds: 86_400 } as const;

export const InviteInput = z.strictObject({
  eventId: EventId,
  ttlSeconds: z.int().min(inviteTtl.minSeconds).max(inviteTtl.maxSeconds),
});
export type InviteInput = z.infer<typeof InviteInput>;

/** A read token and its repository; shown once and not stored. */
export const Invitation = z.object({
  /** A pairing code while LAN sharing is on; otherwise the repository's address. */
  address: z.string(),
  token: z.string(),
  expiresAt: Instant,
});
export type Invitation = z.infer<typeof Invitation>;

export const GetPackInput = z.strictObject({ address: PackAddress, token: PackToken.exactOptional() });
export type GetPackInput = z.infer<typeof GetPackInput>;

export const PushPackInput = z.strictObject({ eventId: EventId, address: PackAddress, token: PackToken });
export type PushPackInput = z.infer<typeof PushPackInput>;

export const SwitchInput = z.strictObject({ on: z.boolean() });
export type SwitchInput = z.infer<typeof SwitchInput>;

/** A version of an event: one revision. */
export const PackVersion = z.object({ sequence: Sequence, observedAt: Instant, publishedAt: Instant });
export type PackVersion = z.infer<typeof PackVersion>;

/** Most versions in a list and most changes in a comparison: the newest ones. */
export const packVersionLimit = 360;

export const PackVersions = z.object({ versions: z.array(PackVersion).max(packVersionLimit) });
export type PackVersions = z.infer<typeof PackVersions>;

export const CompareInput = z
  .strictObject({ eventId: EventId, from: Sequence, to: Sequence })
  .refine(({ from, to }) => from < to, {
    path: ["to"],
    message: "The second version must be newer than the first",
  });
export type CompareInput = z.infer<typeof CompareInput>;

const PublicationKind = z.enum(publicationKinds);

export const PackChange = z.object({
  sequence: Sequence,
  observedAt: Instant,
  publishedAt: Instant,
  kind: PublicationKind,
  /** True if a newer window was published before. */
  late: z.boolean(),
  /** Sequence of the revision that this one replaces or completes. */
  supersedes: Sequence.nullable(),
  /** New or changed layers. */
  products: z.array(ProductId),
});
export type PackChange = z.infer<typeof PackChange>;

export const PackComparison = z.object({
  eventId: EventId,
  from: Sequence,
  to: Sequence,
  /** Number of revisions of each kind after `from`, up to and including `to`. */
  counts: z.record(PublicationKind, z.int().min(0)),
  /** Changes in rising sequence; the newest `packVersionLimit`. */
  changes: z.array(PackChange).max(packVersionLimit),
});
export type PackComparison = z.infer<typeof PackComparison>;
