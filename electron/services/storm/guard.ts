// The storm service's guard. Threats beyond those of every listener (`host-guard.ts`):
//
// - A page that frames the viewer: the policy of the answers forbids it.
// - Other machines: the service binds 127.0.0.1 unless configured otherwise, and then needs its host names.
// - A page or local program that would do more than read: an action is a POST with the run's token, which only the
// opened address carries. A cookie, which a browser sends automatically, would not protect it.
//
// A link from another site may open the viewer's page, and nothing else.
import { createHostGuard, type Guard, type GuardedRequest } from "../http/host-guard.ts";

/** `publicOrigin` is the service's address behind a proxy that ends TLS. */
export function createGuard(hosts: readonly string[], publicOrigin?: string): Guard {
  return createHostGuard({ hosts, scheme: "http", publicOrigin, mayCross: isLinkToViewer });
}

function isLinkToViewer({ method, url, headers }: GuardedRequest): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document" &&
    (url === "/" || url?.startsWith("/?") === true)
  );
}
