// What a signature says of itself, and whether that is what Web Bot Auth asks for: what it covers, from when to when it is
// good, by which key. Nothing here is proven yet.
import { SIGNATURE_AGENT_HEADER } from "web-bot-auth";
import type { SignatureInput } from "./signature-input.ts";

export interface SignatureClaims {
  /** The JWK thumbprint of the key. */
  readonly keyId: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly nonce: string | undefined;
}

/** Clocks of crawlers are that far off at most. */
export const CLOCK_SKEW_MS = 10_000;
/** A signature that is good for longer is not taken: it could be shown again for as long. */
export const MAX_LIFETIME_MS = 3_600_000;
const longestNonce = 256;

/** The claims, or a sentence on what they lack. */
export function readClaims(input: SignatureInput, nowMs: number): SignatureClaims | string {
  const { components, parameters } = input;
  for (const needed of ["@authority", SIGNATURE_AGENT_HEADER]) {
    if (!components.some(({ name }) => name === needed)) return `Its signature does not cover ${needed}.`;
  }
  const created = parameters.get("created");
  const expires = parameters.get("expires");
  if (typeof created !== "number" || typeof expires !== "number") {
    return "Its signature does not say from when to when it is good.";
  }
  const times = { createdMs: created * 1000, expiresMs: expires * 1000 };
  const fault = findTimeFault(times, nowMs);
  if (fault !== undefined) return fault;
  if ((parameters.get("alg") ?? "ed25519") !== "ed25519")
    return "Its signature is of another kind than Ed25519.";
  const keyId = parameters.get("keyid");
  if (typeof keyId !== "string") return "Its signature names no key.";
  const nonce = parameters.get("nonce");
  if (nonce === undefined) return { keyId, ...times, nonce };
  if (typeof nonce !== "string" || nonce === "" || nonce.length > longestNonce) return "Its nonce is none.";
  return { keyId, ...times, nonce };
}

function findTimeFault(
  { createdMs, expiresMs }: Pick<SignatureClaims, "createdMs" | "expiresMs">,
  nowMs: number,
): string | undefined {
  if (expiresMs <= createdMs) return "Its signature ends before it begins.";
  if (expiresMs - createdMs > MAX_LIFETIME_MS) return "Its signature is good for longer than an hour.";
  if (createdMs > nowMs + CLOCK_SKEW_MS) return "Its signature was made in the future.";
  if (expiresMs < nowMs - CLOCK_SKEW_MS) return "Its signature has expired.";
  return undefined;
}
