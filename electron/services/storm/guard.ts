// Who may be answered by the storm service, beyond what holds for every listener:
//
// - Another page that frames the viewer: the policy of its answers forbids it.
// - Other machines: the service binds 127.0.0.1 unless it is told otherwise, and then needs the names it goes by.
// - Whoever would do more than read, be it a page or a stranger's program on this machine: an action is a POST with the
//   run's token, which only the address that was opened carries; a cookie, which a browser sends by itself, would not do.
//
// Following a link to the viewer from another site is a user's own doing and is allowed, for the page itself and nothing
// else.
import { createHostGuard, type Guard, type GuardedRequest } from "../http/host-guard.ts";

/** `hosts` are `Host` header values, port included where it is not 80. */
export function createGuard(hosts: readonly string[]): Guard {
  return createHostGuard({ hosts, scheme: "http", mayCross: isLinkToViewer });
}

function isLinkToViewer({ method, url, headers }: GuardedRequest): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document" &&
    (url === "/" || url?.startsWith("/?") === true)
  );
}
