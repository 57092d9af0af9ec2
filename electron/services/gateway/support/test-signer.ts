// A crawler that signs its requests, for tests: the package makes the headers, and every fault of them can
// be chosen.
import { generateKeyPairSync, sign as signBytes, type KeyObject } from "node:crypto";
import { jwkToKeyID, signatureHeaders, type Signer } from "web-bot-auth";
import { helpers } from "web-bot-auth/crypto";

export interface TestSigner {
  /** `https://signer.example` */
  readonly agent: string;
  readonly keyId: string;
  /** Its key in the bots file. */
  readonly signatureAgent: { readonly url: string; readonly keys: readonly PublicJwk[] };
  readonly sign: (request: SignedRequest) => Promise<SignedHeaders>;
}

export interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
}

export interface SignedRequest {
  /** Public and absolute: its authority is signed. */
  readonly url: string;
  readonly method?: string;
  /** Ten seconds ago by default. */
  readonly created?: Date;
  /** A minute after `created` by default. */
  readonly expires?: Date;
  /** 64 bytes in base64; random by default. */
  readonly nonce?: string;
  /** `["@authority", "signature-agent"]` by default. */
  readonly components?: readonly string[];
  /** Value of the header with its quotes; the signer's own by default. */
  readonly agentHeader?: string;
  /** More headers that are covered. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The signer's own by default. */
  readonly keyId?: string;
  /** `sig1` by default. */
  readonly label?: string;
  /** Changes the parameters before they are signed: `;tag="web-bot-auth"` to `;tag="other"`. */
  readonly edit?: (parameters: string) => string;
}

export type SignedHeaders = Readonly<Record<"Signature" | "Signature-Input" | "Signature-Agent", string>>;

export async function createTestSigner(agent = "https://signer.example"): Promise<TestSigner> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { kty, crv, x } = publicKey.export({ format: "jwk" });
  if (kty === undefined || crv === undefined || x === undefined) throw new Error("A key without its parts.");
  const jwk = { kty, crv, x };
  const keyId = await jwkToKeyID(jwk, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE);
  return {
    agent,
    keyId,
    signatureAgent: { url: agent, keys: [jwk] },
    sign: (request) => sign(request, { agent, keyId, privateKey }),
  };
}

interface Means {
  readonly agent: string;
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

async function sign(request: SignedRequest, { agent, keyId, privateKey }: Means): Promise<SignedHeaders> {
  const created = request.created ?? new Date(Date.now() - 10_000);
  const expires = request.expires ?? new Date(created.getTime() + 60_000);
  const { url, method = "GET", agentHeader = `"${agent}"`, edit, nonce, label = "sig1" } = request;
  let editedParameters: string | undefined;
  const signer: Signer = {
    alg: "ed25519",
    keyid: request.keyId ?? keyId,
    sign(data) {
      const at = data.lastIndexOf('"@signature-params": ') + '"@signature-params": '.length;
      if (edit) editedParameters = edit(data.slice(at));
      return signBytes(
        null,
        Buffer.from(data.slice(0, at) + (editedParameters ?? data.slice(at))),
        privateKey,
      );
    },
  };
  // The package always covers an agent that it sees, so an uncovered one is hidden from it.
  const components = [...(request.components ?? ["@authority", "signature-agent"])];
  const shown = components.includes("signature-agent") ? { "signature-agent": agentHeader } : {};
  const signed = await signatureHeaders({ method, url, headers: { ...request.headers, ...shown } }, signer, {
    created,
    expires,
    components,
    key: label,
    ...(nonce === undefined ? {} : { nonce }),
  });
  return {
    Signature: signed.Signature,
    "Signature-Input":
      editedParameters === undefined ? signed["Signature-Input"] : `${label}=${editedParameters}`,
    "Signature-Agent": agentHeader,
  };
}
