// Checks a request before anything else reads it (RFC 9112). Threat: another reader of the same bytes understands them
// differently. So a request has one Host, one length, and one target for the host that was asked. Node's strict parser
// refuses the rest: two lengths, a length with a transfer coding, bare line feeds, odd spaces.
import type { IncomingMessage } from "node:http";
import { shareTakenMessage } from "../../http/limited-server.ts";
import { proxyLimits } from "../gateway-limits.ts";
import type { Site, Sites } from "./site.ts";

type ArrivedRequest = Pick<IncomingMessage, "method" | "url" | "httpVersion" | "headers" | "rawHeaders">;

export interface Refusal {
  readonly status: number;
  /** A sentence. */
  readonly message: string;
}

export interface Admitted {
  readonly site: Site;
  /** Path and query as sent. */
  readonly target: string;
}

const refuse = (status: number, message: string): Refusal => ({ status, message });

const hostMissing = refuse(400, "A request needs exactly one Host header.");
const hostUnknown = refuse(421, "This service does not answer to that host name.");
const targetOdd = refuse(400, "The request target is not valid.");
const codingOdd = refuse(501, "Request bodies may be chunked; other transfer codings are not supported.");
const codingOpen = refuse(400, "A request body with a transfer coding must end with chunked.");
const codingTooOld = refuse(400, "HTTP/1.0 has no transfer codings.");
const echoRefused = refuse(501, "This service does not echo requests.");
const upgradeRefused = refuse(501, "This service speaks only HTTP/1.1.");
export const tunnelRefused = refuse(501, "This service opens no tunnels.");
export const shareTaken = refuse(503, shareTakenMessage);
const headersTooMany = refuse(431, "The request has too many header lines.");
const looped = refuse(508, "The origin of this page is this service itself.");

const absoluteTarget = /^https?:\/\/([^/?#]*)(.*)$/i;

/** `via` is the name of this gateway in `Via`. */
export function checkFront(request: ArrivedRequest, sites: Sites, via: string): Admitted | Refusal {
  const { headers, url: target = "" } = request;
  if (request.rawHeaders.length > 2 * proxyLimits.requestHeaderLines) return headersTooMany;
  if (countHosts(request.rawHeaders) !== 1) return hostMissing;
  const site = sites.find(headers.host!);
  if (!site) return hostUnknown;
  // The origin would show cookies and the gateway's own headers.
  if (request.method === "TRACE") return echoRefused;
  const coding = headers["transfer-encoding"];
  if (coding !== undefined) {
    if (request.httpVersion === "1.0") return codingTooOld;
    if (coding.toLowerCase() !== "chunked")
      return /(?:^|,)\s*chunked\s*$/i.test(coding) ? codingOdd : codingOpen;
  }
  // An offer of HTTP/2 may be declined; an offer of a WebSocket may not.
  if (headers.upgrade !== undefined && headers.upgrade.trim().toLowerCase() !== "h2c") return upgradeRefused;
  if (headers.via?.includes(via)) return looped;
  if (target.startsWith("/")) return { site, target };
  return checkAbsolute(target, site, sites);
}

/** Checks a target with an authority, which must name the same host as `Host`. */
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
