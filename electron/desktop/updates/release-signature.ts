// Ed25519 signatures of release metadata. The file's name is signed too: metadata of one platform is not valid as that
// of another.
import { createPublicKey, sign, verify, type KeyObject } from "node:crypto";

/** Returns the name of the file with a metadata file's signature. */
export function signatureNameOf(metadataName: string): string {
  return `${metadataName}.sig`;
}

/** Returns the signature as one line of base64. */
export function signRelease(privateKey: KeyObject, name: string, metadata: Uint8Array): string {
  return `${sign(undefined, toSigned(name, metadata), privateKey).toString("base64")}\n`;
}

/** `publicKey` is SPKI, base64. */
export function isSignedBy(
  publicKey: string,
  name: string,
  { metadata, signature }: { readonly metadata: Uint8Array; readonly signature: string },
): boolean {
  if (!/^[A-Za-z0-9+/]{86}==\n?$/.test(signature)) return false;
  const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
  return (
    key.asymmetricKeyType === "ed25519" &&
    verify(undefined, toSigned(name, metadata), key, Buffer.from(signature, "base64"))
  );
}

/** Returns the public half of a private key as SPKI, base64. */
export function toPublicKey(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ format: "der", type: "spki" }).toString("base64");
}

function toSigned(name: string, metadata: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${name}\n`), metadata]);
}
