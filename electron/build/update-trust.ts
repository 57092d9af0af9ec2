// The keys of a build's releases. A private key from the environment signs them; the package carries its public half,
// which checks those of later builds.
import { createPrivateKey, type KeyObject } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { signatureNameOf, signRelease, toPublicKey } from "../desktop/updates/release-signature.ts";

/** PEM file of an Ed25519 private key; without it, the application cannot update itself. */
const keyPath = process.env.ECHOTOP_UPDATE_KEY;
/** Folder of the releases on the web, as the application's default. */
const address = process.env.ECHOTOP_UPDATE_ADDRESS;
/** Name on the certificate of the Windows installers. */
const publisher = process.env.ECHOTOP_WINDOWS_PUBLISHER;

export const publisherNames: readonly string[] = publisher === undefined ? [] : [publisher];

/** Returns undefined for a build without updates. */
function loadPrivateKey(): KeyObject | undefined {
  if (keyPath === undefined) return undefined;
  const key = createPrivateKey(readFileSync(keyPath));
  if (key.asymmetricKeyType !== "ed25519") throw new Error("ECHOTOP_UPDATE_KEY must be an Ed25519 key.");
  return key;
}

/** Writes the public half to `path`; writes nothing for a build without updates. */
export async function writeUpdateTrust(path: string): Promise<void> {
  const key = loadPrivateKey();
  if (key === undefined) return;
  const trust = { publicKey: toPublicKey(key), publisherNames, ...(address !== undefined && { address }) };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(trust)}\n`);
}

/** Signs the metadata that electron-builder wrote to a folder. Returns the names of the signed files. */
export function signReleases(folder: string): string[] {
  const key = loadPrivateKey();
  if (key === undefined) return [];
  const names = readdirSync(folder).filter((name) => /^latest[\w-]*\.yml$/.test(name));
  for (const name of names) {
    writeFileSync(
      join(folder, signatureNameOf(name)),
      signRelease(key, name, readFileSync(join(folder, name))),
    );
  }
  return names;
}
