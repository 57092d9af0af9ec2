// Which addresses may be imported from, as far as their text says: https to a host, with nothing in them that Git, a proxy or a log
// could take for something else.
import { ArtifactsError } from "../artifacts-error.ts";

const maxUrlLength = 2048;
/** Blank, controls, DEL and C1; backslash, which URL parsers take for a slash. */
const forbidden = /[\u0000-\u0020\u007f-\u009f\\]/;

export interface ImportUrl {
  /** In its normal form: a host that was a number in disguise is one in the open. */
  readonly href: string;
  /** Lower case; an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** As a CONNECT request names it: `host:443`, `[::1]:8443`. */
  readonly authority: string;
}

/** @throws ArtifactsError `INVALID_URL` */
export function parseImportUrl(text: string): ImportUrl {
  if (text.length > maxUrlLength || !text.isWellFormed() || forbidden.test(text)) throw refused();
  if (!/^https:\/\/[^/]/i.test(text)) throw refused();
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.hostname === "") throw refused();
  // An empty user, query or fragment leaves no trace in the parsed form.
  if (url.username !== "" || url.password !== "" || /^[^/?#]*\/\/[^/?#]*@/.test(text)) {
    throw new ArtifactsError("INVALID_URL", "The address must not hold a user name or a password.");
  }
  if (/[?#]/.test(text)) {
    throw new ArtifactsError("INVALID_URL", "The address must not have a query or a fragment.");
  }
  const port = url.port === "" ? 443 : Number(url.port);
  if (port === 0) throw refused();
  return {
    href: url.href,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    authority: `${url.hostname}:${port}`,
  };
}

function refused(): ArtifactsError {
  return new ArtifactsError("INVALID_URL", "Only addresses of the form https://HOST/PATH can be imported.");
}
