// Checks whether a request bears a signature of a crawler that the directory knows (Web Bot Auth over RFC 9421). The
// package `web-bot-auth` verifies the signature; which signatures count is decided here, because the package uses its
// own clock, reads one signature per request, treats absent headers as empty, and checks no nonce, agent or covered
// component.
import { HTTP_MESSAGE_SIGNATURE_TAG, SIGNATURE_AGENT_HEADER } from "web-bot-auth";
import { crawlerLimits } from "../gateway-limits.ts";
import type { Visitor } from "./crawler-verdict.ts";
import type { Crawler, Directory, PinnedKey } from "./directory.ts";
import { toSignatureBase } from "./signature-base.ts";
import {
  parseSignatureAgent,
  parseSignatureInput,
  parseSignatures,
  type SignatureInput,
} from "./signature-headers.ts";

export type SignatureCheck =
  | { readonly kind: "absent" }
  | { readonly kind: "valid"; /** Owners of the key. */ readonly crawlers: readonly Crawler[] }
  | { readonly kind: "invalid"; /** A sentence. */ readonly why: string };

const ed25519Bytes = 64;
const notEd25519 = "Its signature is not an Ed25519 signature.";

export interface SignatureMeans {
  readonly directory: Directory;
  readonly nonces: NonceMemory;
  readonly now: () => Date;
}

/** Never rejects. */
export async function checkSignature(visitor: Visitor, means: SignatureMeans): Promise<SignatureCheck> {
  const { headers } = visitor;
  const input = headers["signature-input"];
  const agentHeader = headers[SIGNATURE_AGENT_HEADER];
  if (input === undefined) return { kind: "absent" };
  const inputs = typeof input === "string" ? parseSignatureInput(input) : undefined;
  const signatures = typeof headers.signature === "string" ? parseSignatures(headers.signature) : undefined;
  if (!inputs || !signatures) return invalid("Its signature headers are not valid (RFC 9421).");
  const candidates = inputs.filter(({ parameters }) => parameters.get("tag") === HTTP_MESSAGE_SIGNATURE_TAG);
  if (candidates.length === 0) return { kind: "absent" };
  const agent = typeof agentHeader === "string" ? parseSignatureAgent(agentHeader) : undefined;
  if (agent === undefined) return invalid("Its Signature-Agent is not one quoted https URL.");
  const keys = means.directory.agents.get(agent);
  if (!keys) return invalid("Its Signature-Agent belongs to no crawler in the directory.");
  let first: SignatureCheck | undefined;
  for (const candidate of candidates.slice(0, crawlerLimits.verifiedSignatures)) {
    const signature = signatures.get(candidate.label);
    const check = await checkOne({ candidate, signature, keys, visitor, means });
    if (check.kind === "valid") return check;
    first ??= check;
  }
  return first!;
}

interface Candidate {
  readonly candidate: SignatureInput;
  readonly signature: Uint8Array | undefined;
  readonly keys: ReadonlyMap<string, PinnedKey>;
  readonly visitor: Visitor;
  readonly means: SignatureMeans;
}

async function checkOne({ candidate, signature, keys, visitor, means }: Candidate): Promise<SignatureCheck> {
  const nowMs = means.now().getTime();
  const claims = readClaims(candidate, nowMs);
  if (typeof claims === "string") return invalid(claims);
  const key = keys.get(claims.keyId);
  if (!key) return invalid("The directory does not list its key for its Signature-Agent.");
  if (signature?.byteLength !== ed25519Bytes) return invalid(notEd25519);
  const base = toSignatureBase(candidate, visitor);
  if (base === undefined) return invalid("Its signature covers a part that the request does not have.");
  if (!(await fits(key, base, signature, claims)))
    return invalid("Its signature does not match the request.");
  // Last, so that only a valid signature can use memory.
  const { keyId, nonce, expiresMs } = claims;
  const untilMs = expiresMs + crawlerLimits.clockSkewMs;
  const isNew = nonce === undefined || means.nonces.take(`${keyId} ${nonce}`, untilMs, nowMs);
  return isNew ? { kind: "valid", crawlers: key.crawlers } : invalid("Its signature was used before.");
}

async function fits(
  { verify }: PinnedKey,
  base: string,
  signature: Uint8Array,
  { keyId, createdMs, expiresMs }: SignatureClaims,
): Promise<boolean> {
  try {
    await verify(base, signature, {
      keyid: keyId,
      created: new Date(createdMs),
      expires: new Date(expiresMs),
      tag: HTTP_MESSAGE_SIGNATURE_TAG,
    });
    return true;
  } catch {
    // The package rejects a wrong signature with a plain error.
    return false;
  }
}

function invalid(why: string): SignatureCheck {
  return { kind: "invalid", why };
}

/** The parameters of a signature that Web Bot Auth asks for. Nothing in them is verified yet. */
interface SignatureClaims {
  /** JWK thumbprint of the key. */
  readonly keyId: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly nonce: string | undefined;
}

/** Returns the claims, or a sentence about what is wrong with them. */
function readClaims({ components, parameters }: SignatureInput, nowMs: number): SignatureClaims | string {
  for (const needed of ["@authority", SIGNATURE_AGENT_HEADER]) {
    if (!components.some(({ name }) => name === needed)) return `Its signature does not cover ${needed}.`;
  }
  const created = parameters.get("created");
  const expires = parameters.get("expires");
  if (typeof created !== "number" || typeof expires !== "number") {
    return "Its signature does not say when it was created and when it expires.";
  }
  const times = { createdMs: created * 1000, expiresMs: expires * 1000 };
  const fault = findTimeFault(times, nowMs);
  if (fault !== undefined) return fault;
  if ((parameters.get("alg") ?? "ed25519") !== "ed25519") return notEd25519;
  const keyId = parameters.get("keyid");
  if (typeof keyId !== "string") return "Its signature names no key.";
  const nonce = parameters.get("nonce");
  if (nonce === undefined) return { keyId, ...times, nonce };
  if (typeof nonce !== "string" || nonce === "" || nonce.length > crawlerLimits.nonceChars) {
    return "Its nonce is not valid.";
  }
  return { keyId, ...times, nonce };
}

function findTimeFault(
  { createdMs, expiresMs }: Pick<SignatureClaims, "createdMs" | "expiresMs">,
  nowMs: number,
): string | undefined {
  const { clockSkewMs, signatureLifetimeMs } = crawlerLimits;
  if (expiresMs <= createdMs) return "Its signature expires before it is created.";
  if (expiresMs - createdMs > signatureLifetimeMs) return "Its signature is valid for longer than an hour.";
  if (createdMs > nowMs + clockSkewMs) return "Its signature was created in the future.";
  if (expiresMs < nowMs - clockSkewMs) return "Its signature has expired.";
  return undefined;
}

/** The nonces of accepted signatures, stored as long as each signature could be replayed. */
export interface NonceMemory {
  /** Stores the nonce until that instant; returns false if it is already known, or if the memory is full. */
  readonly take: (nonce: string, untilMs: number, nowMs: number) => boolean;
}

export function createNonceMemory(): NonceMemory {
  const until = new Map<string, number>();
  return {
    take(nonce, untilMs, nowMs) {
      if ((until.get(nonce) ?? -Infinity) >= nowMs) return false;
      if (until.size >= crawlerLimits.nonces) {
        for (const [known, endMs] of until) if (endMs < nowMs) until.delete(known);
        if (until.size >= crawlerLimits.nonces) return false;
      }
      until.set(nonce, untilMs);
      return true;
    },
  };
}
