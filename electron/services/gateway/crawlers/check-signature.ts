// Web Bot Auth: whether a visitor's request is signed with the pinned key of a known crawler. The package holds the keys and
// checks the signature; which signatures count is decided here, because the package takes its own clock, one signature a
// request, absent headers as empty ones, and looks at no nonce, no agent and no covered component.
import { HTTP_MESSAGE_SIGNATURE_TAG, SIGNATURE_AGENT_HEADER } from "web-bot-auth";
import type { Visitor } from "./crawler-verdict.ts";
import type { Crawler, Directory, PinnedKey } from "./directory.ts";
import type { NonceMemory } from "./nonce-memory.ts";
import { parseSignatureAgent } from "./signature-agent.ts";
import { CLOCK_SKEW_MS, readClaims, type SignatureClaims } from "./signature-claims.ts";
import { toSignatureBase } from "./signature-base.ts";
import { parseSignatureInput, parseSignatures, type SignatureInput } from "./signature-input.ts";

export type SignatureCheck =
  | { readonly kind: "absent" }
  | { readonly kind: "valid"; /** Whose key it is. */ readonly crawlers: readonly Crawler[] }
  | { readonly kind: "invalid"; /** A sentence. */ readonly why: string };

const mostTried = 4;
const ed25519Bytes = 64;

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
  if (!inputs || !signatures) return invalid("Its signature headers are not in the form of RFC 9421.");
  const candidates = inputs.filter(({ parameters }) => parameters.get("tag") === HTTP_MESSAGE_SIGNATURE_TAG);
  if (candidates.length === 0) return { kind: "absent" };
  const agent = typeof agentHeader === "string" ? parseSignatureAgent(agentHeader) : undefined;
  if (agent === undefined) return invalid("Its Signature-Agent is not one quoted https URL.");
  const keys = means.directory.agents.get(agent);
  if (!keys) return invalid("Its Signature-Agent is of no crawler in the directory.");
  let first: SignatureCheck | undefined;
  for (const candidate of candidates.slice(0, mostTried)) {
    const check = await checkOne({
      candidate,
      signature: signatures.get(candidate.label),
      keys,
      visitor,
      means,
    });
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
  if (!key) return invalid("Its key is none that the directory knows of its Signature-Agent.");
  if (signature?.byteLength !== ed25519Bytes) return invalid("Its signature is not one of Ed25519.");
  const base = toSignatureBase(candidate, visitor);
  if (base === undefined) return invalid("Its signature covers what the request does not have.");
  if (!(await fits(key, base, signature, claims))) return invalid("Its signature does not fit the request.");
  // Last, so that only a signature that is good can take up room.
  const { keyId, nonce, expiresMs } = claims;
  const isNew =
    nonce === undefined || means.nonces.take(`${keyId} ${nonce}`, expiresMs + CLOCK_SKEW_MS, nowMs);
  return isNew ? { kind: "valid", crawlers: key.crawlers } : invalid("Its signature was shown before.");
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
    // The package rejects whatever does not fit, with an error of no kind of its own.
    return false;
  }
}

function invalid(why: string): SignatureCheck {
  return { kind: "invalid", why };
}
