// The storm service's guard. Threats beyond those of every listener (`host-guard.ts`):
//
// - A page that frames the viewer: the policy of the answers forbids it.
// - Other machines: the service binds 127.0.0.1 unless configured otherwise, and then needs its host names.
// - A page or local program that would do more than read: an action is a POST with the run's token, which only the
// opened address carries. A cookie, which a browser sends automatically, would not protect it.
//
// A link from another site may open the viewer's page, and nothing else.
import { createHostGuard, type Guard, type GuardedRequest, type GuardOptions } from "../http/host-guard.ts";

export type GuardNames = Pick<GuardOptions, "hosts" | "publicOrigin" | "isOpen">;

export function createGuard(names: GuardNames): Guard {
  return createHostGuard({ ...names, scheme: "http", mayCross: isLinkToViewer });
}

function isLinkToViewer({ method, url, headers }: GuardedRequest): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document" &&
    (url === "/" || url?.startsWith("/?") === true)
  );
}
