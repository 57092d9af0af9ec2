// Event packs as the viewer deals with them: what is hosted here, what was got from others, who else may read it, and what
// changed between two versions. No secret is in anything here but an invitation, which is shown once.
import * as z from "zod";
import { EventId, Instant, ProductId, Sequence } from "./primitives.ts";

/** Whether this Echotop hosts the repositories of its packs, and where. A problem is a sentence for a person. */
export const HostingListener = z.discriminatedUnion("status", [
  z.object({ status: z.literal("off") }),
  /** `address` is an origin: `http://127.0.0.1:47801`. */
  z.object({ status: z.literal("on"), address: z.string() }),
  z.object({ status: z.literal("failed"), problem: z.string() }),
]);
export type HostingListener = z.infer<typeof HostingListener>;

/** The machine's own Git, which hosting needs and nothing else does. The problem says how to get it. */
export const HostingGit = z.discriminatedUnion("status", [
  z.object({ status: z.literal("found"), version: z.string() }),
  z.object({ status: z.literal("missing"), problem: z.string() }),
]);
export type HostingGit = z.infer<typeof HostingGit>;

export const HostingState = z.object({ listener: HostingListener, git: HostingGit });
export type HostingState = z.infer<typeof HostingState>;

/** The TLS listener for other machines. `fingerprint` is that of its certificate, as it is read out to a colleague. */
export const LanState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("off") }),
  z.object({ status: z.literal("on"), address: z.string(), fingerprint: z.string() }),
  z.object({ status: z.literal("failed"), problem: z.string() }),
]);
export type LanState = z.infer<typeof LanState>;

/** Where tokens for getting again are kept: by the system, or for this run alone. */
export const TokenKeeping = z.enum(["keychain", "memory"]);
export type TokenKeeping = z.infer<typeof TokenKeeping>;

export const PackShare = z.object({
  /** The address that others get it from, without any secret. */
  remote: z.string(),
  lastPushedAt: Instant.nullable(),
  /** Revisions that the shared copy does not have yet. */
  pending: z.int().min(0),
  /** Why the shared copy is behind, in a sentence. */
  problem: z.string().nullable(),
});
export type PackShare = z.infer<typeof PackShare>;

export const PackOrigin = z.object({
  /** Without any secret. */
  address: z.string(),
  lastGotAt: Instant.nullable(),
  /** A token for getting it again is kept. */
  hasToken: z.boolean(),
});
export type PackOrigin = z.infer<typeof PackOrigin>;

/** An event as a pack: every event with a revision is one, whether it was ever written as such or not. */
export const Pack = z.object({
  eventId: EventId,
  label: z.string(),
  /** Made here, or got from somebody. */
  origin: z.enum(["own", "got"]),
  /** 0 while nothing has been published. */
  latestSequence: z.int().min(0),
  /** The newest revision that its pack repository here has. */
  exportedSequence: Sequence.nullable(),
  /** The Git commit of that state, 40 hexadecimal digits. */
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

/** What a repository's token looks like from any service: visible characters without a space. */
const PackToken = z
  .string()
  .trim()
  .max(512)
  .regex(/^[\x21-\x7e]+$/);

/** An http or https address of a repository, or a pairing code. A secret in it would end in lists and logs. */
export const PackAddress = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  .refine((text) => !/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text), {
    message: "An address has no name or token in it; the token has a field of its own",
  })
  .refine((text) => !text.includes("art_v1_"), {
    message: "This address has a token in it; the token has a field of its own",
  });
export type PackAddress = z.infer<typeof PackAddress>;

export const inviteTtl = { minSeconds: 60, maxSeconds: 31_536_000, defaultSeconds: 86_400 } as const;

export const InviteInput = z.strictObject({
  eventId: EventId,
  ttlSeconds: z.int().min(inviteTtl.minSeconds).max(inviteTtl.maxSeconds),
});
export type InviteInput = z.infer<typeof InviteInput>;

/** Shown once and kept nowhere: a read token, and what it opens. */
export const Invitation = z.object({
  /** A pairing code while sharing on the LAN is on, else the repository's address. */
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

/** One version of an event: a revision, as a person chooses it. */
export const PackVersion = z.object({ sequence: Sequence, observedAt: Instant, publishedAt: Instant });
export type PackVersion = z.infer<typeof PackVersion>;

/** The most versions to choose from, the newest ones, and the most changes in a comparison. */
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

/** What a revision did, told from the order of publication; `unknown` where older revisions are no longer kept. */
export const PackChangeKind = z.enum(["new", "correction", "completion", "backfill", "unknown"]);
export type PackChangeKind = z.infer<typeof PackChangeKind>;

export const PackChange = z.object({
  sequence: Sequence,
  observedAt: Instant,
  publishedAt: Instant,
  kind: PackChangeKind,
  /** A newer window had been published before. */
  late: z.boolean(),
  /** The sequence of the revision that this one replaces or completes. */
  supersedes: Sequence.nullable(),
  /** The layers that are there for the first time or are other than before. */
  products: z.array(ProductId),
});
export type PackChange = z.infer<typeof PackChange>;

export const PackComparison = z.object({
  eventId: EventId,
  from: Sequence,
  to: Sequence,
  /** How many revisions of each kind came after `from`, up to and including `to`. */
  counts: z.record(PackChangeKind, z.int().min(0)),
  /** In rising sequence; the newest ones where there are more than `packVersionLimit`. */
  changes: z.array(PackChange).max(packVersionLimit),
});
export type PackComparison = z.infer<typeof PackComparison>;
