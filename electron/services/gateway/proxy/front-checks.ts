// What is refused before anything else looks at a request (RFC 9112). What stands between the gateway and other readers
// of the same bytes is that nobody reads them differently: one Host, one length, one target that names who was asked.
// Node's parser, in its strict mode, refuses the rest: two lengths, lengths beside codings, bare line ends, odd spaces.
import type { IncomingHttpHeaders } from "node:http";
import type { Site, Sites } from "./site.ts";

export interface ArrivedRequest {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
}

export interface Refusal {
  readonly status: number;
  /** A sentence. */
  readonly message: string;
}

export interface Admitted {
  readonly site: Site;
  /** Path and query, as they were sent. */
  readonly target: string;
}

const refuse = (status: number, message: string): Refusal => ({ status, message });

const hostMissing = refuse(400, "A request needs exactly one Host.");
const hostUnknown = refuse(421, "This service does not answer to that host name.");
const targetOdd = refuse(400, "The request target is not one that this service understands.");
const codingOdd = refuse(501, "Request bodies may be chunked; other transfer codings are not understood.");
const codingOpen = refuse(400, "Only a chunked body says where it ends.");
const codingTooOld = refuse(400, "HTTP/1.0 has no transfer codings.");
const upgradeRefused = refuse(501, "This service speaks HTTP/1.1 and changes to nothing else.");
export const tunnelRefused = refuse(501, "This service opens no tunnels.");
export const shareTaken = refuse(
  503,
  "Your address has too many connections or requests open at once; try again in a few seconds.",
);
const looped = refuse(508, "The origin of this page is this service itself.");

const absoluteTarget = /^https?:\/\/([^/?#]*)(.*)$/i;

/** `via` is the name under which this gateway sends requests on. */
export function checkFront(request: ArrivedRequest, sites: Sites, via: string): Admitted | Refusal {
  const { headers, target } = request;
  if (countHosts(request.rawHeaders) !== 1) return hostMissing;
  const site = sites.find(headers.host!);
  if (!site) return hostUnknown;
  const coding = headers["transfer-encoding"];
  if (coding !== undefined) {
    if (request.httpVersion === "1.0") return codingTooOld;
    if (coding.toLowerCase() !== "chunked")
      return /(?:^|,)\s*chunked\s*$/i.test(coding) ? codingOdd : codingOpen;
  }
  // Nobody has to change to HTTP/2 who is asked to; whoever wants a socket cannot do without.
  if (headers.upgrade !== undefined && headers.upgrade.trim().toLowerCase() !== "h2c") return upgradeRefused;
  if (headers.via?.includes(via)) return looped;
  if (target.startsWith("/")) return { site, target };
  return checkAbsolute(target, site, sites);
}

/** The address in the target must be of the host that `Host` names. */
function checkAbsolute(target: string, site: Site, sites: Sites): Admitted | Refusal {
  const [, authority, rest] = absoluteTarget.exec(target) ?? [];
  if (authority === undefined || rest === undefined) return targetOdd;
  const named = sites.find(authority);
  if (named?.host !== site.host || named.zone !== site.zone) return hostUnknown;
  return { site, target: rest.startsWith("/") ? rest : `/${rest}` };
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}
