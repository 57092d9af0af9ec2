// The address of a repository that one person gives another: its URL and, for a self-signed certificate, the
// certificate's fingerprint, `#sha256=…`. It contains no secret.
import { AppError } from "../app-error.ts";

export interface RemoteAddress {
  /** `https://…`, or `http://…` on this machine; without user, query, fragment or trailing slash. */
  readonly url: string;
  /** SHA-256 of the certificate in DER, 43 characters of base64url. Undefined: the system's authorities decide. */
  readonly certificateSha256: string | undefined;
}

/** The most characters of an address. */
const longestAddress = 2000;

const shape = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;
const fingerprint = /^#sha256=([A-Za-z0-9_-]{43})$/;
/** 43 characters are 258 bits: the last two must be 0, so that a fingerprint has one spelling. */
const lastOfFingerprint = /[AEIMQUYcgkosw048]$/;

/** @throws AppError `invalid-input` with a sentence that does not repeat the address */
export function parseRemoteAddress(text: string): RemoteAddress {
  if (text.length > longestAddress) {
    throw refused(`The address is longer than ${longestAddress} characters.`);
  }
  if (/[^!-~]|[\\^`{|}<>"]/.test(text)) {
    throw refused("The address contains invalid characters; percent-encode them.");
  }
  const [, scheme = "", authority = "", path = "", query = "", fragment = ""] = shape.exec(text) ?? [];
  const protocol = scheme.toLowerCase();
  if (protocol !== "https" && protocol !== "http") {
    throw refused("The address of a pack must begin with https:// (or http:// on this machine).");
  }
  requireNoUser(authority);
  const host = parseAuthority(authority, protocol);
  if (protocol === "http" && !isLoopbackHost(host.name)) {
    throw refused(
      "Plain HTTP works only on this machine; for another machine the address must begin with https://.",
    );
  }
  if (query !== "") throw refused("The address of a pack must not have a query (?…).");
  requireRepositoryPath(path);
  const url = `${protocol}://${host.name}${host.port}${path.replace(/\/$/, "")}`;
  if (fragment === "") return { url, certificateSha256: undefined };
  const certificateSha256 = fingerprint.exec(fragment)?.[1];
  if (certificateSha256 === undefined || !lastOfFingerprint.test(certificateSha256)) {
    throw refused("The part after # in the address must be a certificate's fingerprint (sha256=…).");
  }
  if (protocol === "http") {
    throw refused("A fingerprint belongs to an https:// address; plain HTTP has no certificate.");
  }
  return { url, certificateSha256 };
}

/** Returns the text that `parseRemoteAddress` reads. */
export function toPairingCode({ url, certificateSha256 }: RemoteAddress): string {
  return certificateSha256 === undefined ? url : `${url}#sha256=${certificateSha256}`;
}

/** Returns true if the host of a URL (IPv6 in brackets) is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function requireNoUser(authority: string): void {
  if (!authority.includes("@")) return;
  throw refused(
    "The address contains a user name or secret before its host; give the token in a file or in ECHOTOP_REPO_TOKEN.",
  );
}

const defaultPorts = { https: 443, http: 80 } as const;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const ipv6 = /^\[(?=[0-9a-f]*:)[0-9a-f:]{2,39}\]$/;

/** Returns the host in lower case, and `:PORT` unless it is the default. */
function parseAuthority(
  authority: string,
  protocol: keyof typeof defaultPorts,
): { readonly name: string; readonly port: string } {
  const [, name = "", digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(authority.toLowerCase()) ?? [];
  // A name whose last part is a number would be parsed as an IPv4 address, which has many spellings.
  const isNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name);
  const isHost = isNumber ? ipv4.test(name) : domainName.test(name) && name.length <= 253;
  const port = digits === undefined ? undefined : Number(digits);
  if (!(isHost || ipv6.test(name)) || port === 0 || (port ?? 1) > 65_535) {
    throw refused("The address has no valid host.");
  }
  return { name, port: port === undefined || port === defaultPorts[protocol] ? "" : `:${port}` };
}

/** Refuses a path that would be normalized to another one, which could lead to another repository than it shows. */
function requireRepositoryPath(path: string): void {
  if (path === "" || path === "/") throw refused("The address names a host but no repository on it.");
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
