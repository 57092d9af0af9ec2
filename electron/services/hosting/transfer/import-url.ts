// Checks the text of an import address: https to a host, with nothing that Git, a proxy or a log could misread.
import { ArtifactsError } from "../artifacts-error.ts";

const maxUrlLength = 2048;
/** Space, control characters, DEL and C1; backslash, which URL parsers read as a slash. */
const forbidden = /[\u0000-\u0020\u007f-\u009f\\]/;

export interface ImportUrl {
  /** Normalized: a host in a disguised number format becomes a plain address. */
  readonly href: string;
  /** Lower case; an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Form of a CONNECT request: `host:443`, `[::1]:8443`. */
  readonly authority: string;
}

/** @throws ArtifactsError `INVALID_URL` */
export function parseImportUrl(text: string): ImportUrl {
  if (text.length > maxUrlLength || !text.isWellFormed() || forbidden.test(text)) throw refused();
  if (!/^https:\/\/[^/]/i.test(text)) throw refused();
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.hostname === "") throw refused();
  // An empty user, query or fragment disappears in the parsed form.
  if (url.username !== "" || url.password !== "" || /^[^/?#]*\/\/[^/?#]*@/.test(text)) {
    throw refused("The address must not contain a user name or a password.");
  }
  if (/[?#]/.test(text)) throw refused("The address must not have a query or a fragment.");
  const port = url.port === "" ? 443 : Number(url.port);
  if (port === 0) throw refused();
  return {
    href: url.href,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    authority: `${url.hostname}:${port}`,
  };
}

function refused(message = "Only addresses of the form https://HOST/PATH can be imported."): ArtifactsError {
  return new ArtifactsError("INVALID_URL", message);
}
