// The self-signed certificate for other machines of the network. A pairing code contains its fingerprint, so a new one,
// made only when needed, ends every pairing.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import type { TlsIdentity } from "../http/limited-server.ts";

export interface SharingCertificate extends TlsIdentity {
  /** SHA-256 of the DER, in base64url without padding, for a pairing code. */
  readonly sha256: string;
  /** The same hash for people: upper-case hex in pairs, separated by colons. */
  readonly fingerprint: string;
  /** ISO, UTC. */
  readonly expiresAt: string;
}

export interface SharingCertificateOptions {
  /** The data directory. */
  readonly directory: string;
  /** Names and addresses of this machine; the first is the certificate's common name. */
  readonly hostNames: readonly string[];
  /** The current instant. */
  readonly now: () => Date;
}

const dayMs = 86_400_000;
/** Long, because everyone must pair again afterwards. */
const lifetimeMs = 5 * 365 * dayMs;
/** For machines whose clocks are behind. */
const clockToleranceMs = dayMs;

/**
 * Returns the certificate in `control/sharing.pem` (key and certificate in one file, so that they always match; mode
 * 0600), or makes a new one if it is missing, expired, damaged or for other names.
 * @throws AppError `invalid-input` without names; `storage-failed`
 */
export async function loadSharingCertificate(
  options: SharingCertificateOptions,
): Promise<SharingCertificate> {
  const hostNames = [...new Set(options.hostNames.map((name) => name.toLowerCase()))];
  if (hostNames.length === 0) throw new AppError("invalid-input", "Sharing needs the name of this machine.");
  const path = join(options.directory, "control", "sharing.pem");
  const now = options.now();
  try {
    const kept = parseIdentity(await readIfPresent(path));
    if (kept !== undefined && serves(kept, hostNames, now)) return kept;
    const made = await makeIdentity(hostNames, now);
    await replaceFile(path, `${made.keyPem.trim()}\n${made.certificatePem.trim()}\n`);
    return made;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("storage-failed", "The certificate for sharing can neither be read nor made.", {
      cause: error,
    });
  }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const keyBlock = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/;
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/;

/** Returns undefined if the key does not match the certificate, which is then replaced. */
function parseIdentity(text: string | undefined): SharingCertificate | undefined {
  const keyPem = keyBlock.exec(text ?? "")?.[0];
  const certificatePem = certificateBlock.exec(text ?? "")?.[0];
  if (keyPem === undefined || certificatePem === undefined) return undefined;
  try {
    const isPair = new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem));
    return isPair ? toCertificate(keyPem, certificatePem) : undefined;
  } catch {
    return undefined;
  }
}

function toCertificate(keyPem: string, certificatePem: string): SharingCertificate {
  const { fingerprint256, validTo } = new X509Certificate(certificatePem);
  return {
    keyPem,
    certificatePem,
    sha256: Buffer.from(fingerprint256.replaceAll(":", ""), "hex").toString("base64url"),
    fingerprint: fingerprint256,
    expiresAt: new Date(validTo).toISOString(),
  };
}

/** Returns true if the certificate is not expired and has exactly these names. */
function serves({ certificatePem, expiresAt }: SharingCertificate, hostNames: readonly string[], now: Date) {
  const certificate = new X509Certificate(certificatePem);
  const named = certificate.subjectAltName?.split(", ").length ?? 0;
  return (
    Date.parse(expiresAt) > now.getTime() &&
    named === hostNames.length &&
    hostNames.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)))
  );
}

async function makeIdentity(hostNames: readonly string[], now: Date): Promise<SharingCertificate> {
  // Rarely needed, so loaded here.
  const { generate } = await import("selfsigned");
  const altNames = hostNames.map((name) =>
    isIP(name) ? ({ type: 7, ip: name } as const) : ({ type: 2, value: name } as const),
  );
  const pems = await generate([{ name: "commonName", value: hostNames[0]!.slice(0, 64) }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate: new Date(now.getTime() - clockToleranceMs),
    notAfterDate: new Date(now.getTime() + lifetimeMs),
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames },
    ],
  });
  return toCertificate(pems.private, pems.cert);
}
