// A service's routes: one table of paths, each with its routes by method. It matches and decodes; the service answers.
import findMyWay from "find-my-way";

export interface Route {
  /** GET includes HEAD. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path with parameters: `/v1/storm-events/:eventId/manifest`. */
  readonly path: string;
}

/** Decoded path parameters by name. */
export type Params = Readonly<Record<string, string>>;

export type Match<R extends Route> =
  | { readonly kind: "route"; readonly route: R; readonly params: Params }
  /** The path exists, but not for this method. `allow` is the value of an Allow header. */
  | { readonly kind: "wrong-method"; readonly allow: string; readonly message: string }
  /** The path's percent-encoding is not valid. */
  | { readonly kind: "malformed" }
  | { readonly kind: "none" };

export type FindRoute<R extends Route> = (method: string, path: string) => Match<R>;

/** Longer than any path in Node's 16 KiB of headers, even with every percent sign escaped. */
const maxParamLength = 3 * 16_384;

/** Throws if two routes have the same method and path. */
export function createRoutes<R extends Route>(routes: readonly R[]): FindRoute<R> {
  // The router's own methods are not used: a path of the wrong method must be found too.
  const router = findMyWay({
    maxParamLength,
    querystringParser: () => ({}),
    onBadUrl: () => undefined,
  });
  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    router.on("GET", path, () => undefined, toMethodTable(group));
  }
  return (method, path) => {
    const found = router.find("GET", path);
    if (found === null) return { kind: "none" };
    const table = found.store as ReadonlyMap<string, R> | null;
    if (table === null) return { kind: "malformed" };
    const route = table.get(method);
    if (route !== undefined) return { kind: "route", route, params: found.params as Params };
    const allow = [...table.keys()].join(", ");
    return { kind: "wrong-method", allow, message: `This address accepts ${allow} only.` };
  };
}

function toMethodTable<R extends Route>(routes: readonly R[]): ReadonlyMap<string, R> {
  const table = new Map<string, R>();
  for (const route of routes) {
    for (const method of route.method === "GET" ? ["GET", "HEAD"] : [route.method]) {
      if (table.has(method)) throw new Error(`Two routes claim ${method} ${route.path}.`);
      table.set(method, route);
    }
  }
  return table;
}

/** Returns the path of a request target, without query and fragment. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}
