// The address of a repository that one person gives another: its URL, and for a service whose certificate no authority has
// signed the fingerprint of that certificate, `#sha256=…`. Secrets have no place in it.
import { AppError } from "../app-error.ts";

export interface RemoteAddress {
  /** `https://…`, or `http://…` of this machine itself; no user, query, fragment or slash at its end. */
  readonly url: string;
  /** SHA-256 of the certificate in DER, 43 characters of base64url. Undefined: the system's authorities vouch. */
  readonly certificateSha256: string | undefined;
}

/** More than any address that a person hands on. */
const longestAddress = 2000;

const shape = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;
const fingerprint = /^#sha256=([A-Za-z0-9_-]{43})$/;
/** 43 characters hold 258 bits: the two beyond the hash must be 0, so that a fingerprint has one spelling. */
const lastOfFingerprint = /[AEIMQUYcgkosw048]$/;

/** @throws AppError `invalid-input` with the sentence of what is wrong; the address itself is not repeated */
export function parseRemoteAddress(text: string): RemoteAddress {
  if (text.length > longestAddress) {
    throw refused(`The address is longer than ${longestAddress} characters.`);
  }
  if (/[^!-~]|[\\^`{|}<>"]/.test(text)) {
    throw refused("The address holds characters that no address has; others must be percent-encoded.");
  }
  const [, scheme = "", authority = "", path = "", query = "", fragment = ""] = shape.exec(text) ?? [];
  const protocol = scheme.toLowerCase();
  if (protocol !== "https" && protocol !== "http") {
    throw refused("The address of a pack begins with https:// (or http:// on this machine).");
  }
  requireNoUser(authority);
  const host = parseAuthority(authority, protocol);
  if (protocol === "http" && !isLoopbackHost(host.name)) {
    throw refused("Plain HTTP is for this machine alone; beyond it the address must begin with https://.");
  }
  if (query !== "") throw refused("The address of a pack has no query (?…).");
  requireRepositoryPath(path);
  const url = `${protocol}://${host.name}${host.port}${path.replace(/\/$/, "")}`;
  if (fragment === "") return { url, certificateSha256: undefined };
  const certificateSha256 = fingerprint.exec(fragment)?.[1];
  if (certificateSha256 === undefined || !lastOfFingerprint.test(certificateSha256)) {
    throw refused("What follows # in the address is not the fingerprint of a certificate (sha256=…).");
  }
  if (protocol === "http") {
    throw refused("A fingerprint belongs to an https:// address; plain HTTP has no certificate.");
  }
  return { url, certificateSha256 };
}

/** The text that `parseRemoteAddress` reads. */
export function toPairingCode({ url, certificateSha256 }: RemoteAddress): string {
  return certificateSha256 === undefined ? url : `${url}#sha256=${certificateSha256}`;
}

/** Whether a host of a URL (IPv6 in brackets) is this machine itself. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function requireNoUser(authority: string): void {
  if (!authority.includes("@")) return;
  throw refused(
    "The address holds a user name or a secret before its host; a token comes by a file or ECHOTOP_REPO_TOKEN.",
  );
}

const usualPorts = { https: 443, http: 80 } as const;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const ipv6 = /^\[(?=[0-9a-f]*:)[0-9a-f:]{2,39}\]$/;

/** The host in lower case, and `:PORT` unless it is the usual one. */
function parseAuthority(
  authority: string,
  protocol: keyof typeof usualPorts,
): { readonly name: string; readonly port: string } {
  const [, name = "", digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(authority.toLowerCase()) ?? [];
  // A name whose last part is a number would be read as an address, in one of the many ways to write one.
  const isNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name);
  const isHost = isNumber ? ipv4.test(name) : domainName.test(name) && name.length <= 253;
  const port = digits === undefined ? undefined : Number(digits);
  if (!(isHost || ipv6.test(name)) || port === 0 || (port ?? 1) > 65_535) {
    throw refused("The address has no host that can be asked.");
  }
  return { name, port: port === undefined || port === usualPorts[protocol] ? "" : `:${port}` };
}

/** A path that would be read as another one could lead elsewhere than it looks. */
function requireRepositoryPath(path: string): void {
  if (path === "" || path === "/") throw refused("The address names a host and no repository on it.");
  if (/%(?![0-9a-f]{2})/i.test(path)) {
    throw refused("The path of the address has a % without two hexadecimal digits.");
  }
  const parts = path.replace(/%2e/gi, ".").replace(/\/$/, "").split("/").slice(1);
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    throw refused("The path of the address has empty or dotted parts (//, ./, ../).");
  }
}

function refused(detail: string): AppError {
  return new AppError("invalid-input", detail);
}
