// The admin listener: whether the process lives and is ready, and its metrics, for balancers and monitoring. It answers
// GET and HEAD on loopback unless configured otherwise, and has nothing secret to tell.
import { cacheRules, createAnswer, createJsonAnswer, sendAnswer, type Answer } from "../http/answer.ts";
import { createGuardedServer } from "../http/guarded-server.ts";
import { createHostGuard, toHosts } from "../http/host-guard.ts";
import { bind, closeServer } from "../http/listening.ts";
import { createRoutes, pathOf, type Route } from "../http/routes.ts";

export interface Readiness {
  /** False once the process is to end: it gets no new work. */
  readonly isReady: boolean;
  /** False while the catalog cannot be read: the process answers only what it holds. */
  readonly catalog: boolean;
}

export interface AdminServerOptions {
  readonly findReadiness: () => Promise<Readiness>;
  readonly renderMetrics: () => Promise<{ readonly body: string; readonly type: string }>;
}

export interface AdminServer {
  /** Takes one address, not a wildcard. Resolves with the origin. @throws AppError `address-in-use`, `invalid-input` */
  listen(address: { readonly address: string; readonly port: number }): Promise<string>;
  close(): Promise<void>;
}

interface AdminRoute extends Route {
  readonly answer: () => Answer | Promise<Answer>;
}

export function createAdminServer({ findReadiness, renderMetrics }: AdminServerOptions): AdminServer {
  const routes: AdminRoute[] = [
    { method: "GET", path: "/livez", answer: () => createReport(200, { status: "alive" }) },
    { method: "GET", path: "/readyz", answer: async () => toAnswer(await findReadiness()) },
    {
      method: "GET",
      path: "/metrics",
      answer: async () => createAnswer({ ...(await renderMetrics()), cache: cacheRules.none }),
    },
  ];
  const findRoute = createRoutes(routes);
  let guard = createHostGuard({ hosts: [], scheme: "http" });
  const server = createGuardedServer({
    guard: () => guard,
    createProblem: (status, message, headers) => createReport(status, { message }, headers),
    listener: (request, response) => {
      const match = findRoute(request.method!, pathOf(request.url!));
      void answerRoute(match).then((answer) => {
        sendAnswer(request, response, answer);
      });
    },
    server: { headersTimeout: 10_000, requestTimeout: 10_000 },
  });
  return {
    async listen({ address, port }) {
      const bound = await bind(server, { host: address, port, advice: "admin.port names another" });
      const name = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
      // Balancers check several readers with one header. No page of another site has these names either.
      const hosts = [...toHosts(bound, [name]), name, "localhost"];
      guard = createHostGuard({ hosts, scheme: "http" });
      return `http://${name}:${bound.port}`;
    },
    close: () => closeServer(server),
  };

  async function answerRoute(match: ReturnType<typeof findRoute>): Promise<Answer> {
    if (match.kind === "wrong-method")
      return createReport(405, { message: match.message }, { allow: match.allow });
    if (match.kind !== "route") return createReport(404, { message: "There is nothing at this address." });
    try {
      return await match.route.answer();
    } catch {
      return createReport(500, { message: "Something went wrong in the service." });
    }
  }
}

function toAnswer({ isReady, catalog }: Readiness): Answer {
  const report = { status: isReady ? "ready" : "draining", catalog: catalog ? "available" : "unavailable" };
  return createReport(isReady ? 200 : 503, report);
}

function createReport(status: number, report: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return createJsonAnswer(report, { status, cache: cacheRules.none, ...(headers && { headers }) });
}
