// Trusts one certificate by its fingerprint. The first connection reads the certificate and sends nothing; every
// request then uses connections that trust only this certificate.
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AgentOptions } from "node:https";
import { isIP } from "node:net";
import { connect, type PeerCertificate } from "node:tls";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { linkError } from "./remote-error.ts";

export interface PinnedHost {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** SHA-256 of the certificate in DER, base64url. */
  readonly certificateSha256: string;
}

/**
 * Returns options for an HTTPS agent that trusts only the pinned certificate.
 * @throws AppError `invalid-input` if the service shows another certificate, `upstream-unavailable` if it shows none
 */
export async function loadPinnedTrust(
  pinned: PinnedHost,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<AgentOptions> {
  const der = await readCertificate(pinned, options);
  if (fingerprintOf(der) !== pinned.certificateSha256) throw otherCertificate();
  return {
    ca: new X509Certificate(der).toString(),
    // The certificate needs no authority: its fingerprint proves it.
    allowPartialTrustChain: true,
    // Host names are not compared, the fingerprint is.
    checkServerIdentity: (_host: string, shown: PeerCertificate) =>
      fingerprintOf(shown.raw) === pinned.certificateSha256 ? undefined : otherCertificate(),
  };
}

/** Reads the server's certificate in DER. Sends nothing and verifies nothing. */
async function readCertificate(
  { host, port }: PinnedHost,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Buffer> {
  signal.throwIfAborted();
  const socket = connect({
    host,
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: false,
  });
  socket.setTimeout(timeoutMs, () => socket.destroy(linkError("no-answer")));
  // An error after the one that `once` reports has no other listener.
  socket.on("error", () => undefined);
  try {
    await once(socket, "secureConnect", { signal });
    const { raw } = socket.getPeerCertificate() as Partial<PeerCertificate>;
    if (raw === undefined) throw linkError("unreachable", { detail: "it shows no certificate" });
    return raw;
  } catch (error) {
    signal.throwIfAborted();
    throw isAppError(error) ? error : linkError("unreachable", { cause: error });
  } finally {
    socket.destroy();
  }
}

export function fingerprintOf(der: Uint8Array): string {
  return createHash("sha256").update(der).digest("base64url");
}

function otherCertificate(): AppError {
  return new AppError(
    "invalid-input",
    "The service shows another certificate than the one in the address. Ask its owner for the address again.",
  );
}
