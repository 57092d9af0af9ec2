// The REST routes, called as the listener calls them: statuses, codes, fields and messages.
import { describe, expect, test } from "vitest";
import type { ApiProblem, ApiReply, ApiRequest } from "../../api/api-part.ts";
import {
  ArtifactsError,
  artifactsErrorNumbers,
  toProblem,
  type ArtifactsErrorCode,
} from "../artifacts-error.ts";
import { createHostingRoutes } from "./hosting-routes.ts";
import { easyTransfer, openTestRepositories } from "../support/open-repositories.ts";
import type { Transfer } from "../transfer/transfer.ts";

const base = "/accounts/:account/artifacts/namespaces";
const origin = "http://127.0.0.1:47801";

type Reply = Extract<ApiReply, { readonly result: unknown }>;
interface Call {
  readonly params?: Record<string, string>;
  readonly query?: string;
  readonly body?: unknown;
}

async function openRest(transfer: Transfer = easyTransfer) {
  const hosting = await openTestRepositories({ transfer });
  const routes = createHostingRoutes(hosting.repositories);
  const call = async (method: string, path: string, given: Call = {}): Promise<Reply> => {
    const route = routes.find((one) => one.method === method && one.path === base + path)!;
    const request: ApiRequest = {
      params: { account: "local", namespace: "events", ...given.params },
      query: new URLSearchParams(given.query ?? ""),
      body: given.body,
      headers: {},
      origin,
      signal: new AbortController().signal,
    };
    return (await route.handle(request)) as Reply;
  };
  const refusal = async (method: string, path: string, given: Call = {}): Promise<ApiProblem> => {
    try {
      await call(method, path, given);
    } catch (error) {
      return toProblem(error)!;
    }
    throw new Error("It was not refused.");
  };
  const create = async (name: string): Promise<Reply> =>
    call("POST", "/:namespace/repos", { body: { name } });
  return { ...hosting, routes, call, refusal, create };
}

test("routes that change something need edit, all others read", async () => {
  const { routes } = await openRest();
  expect(
    routes.map(
      ({ method, path, permission }) => `${permission.slice(10)} ${method} ${path.slice(base.length)}`,
    ),
  ).toEqual([
    "read GET /:namespace/repos",
    "edit POST /:namespace/repos",
    "read GET /:namespace/repos/:name",
    "edit DELETE /:namespace/repos/:name",
    "edit POST /:namespace/repos/:name/fork",
    "edit POST /:namespace/repos/:name/import",
    "read GET /:namespace/repos/:name/tokens",
    "edit POST /:namespace/tokens",
    "edit DELETE /:namespace/tokens/:name",
    "read GET ",
    "edit POST ",
    "read GET /:namespace",
  ]);
});

test("an invalid namespace is 400", async () => {
  const { refusal } = await openRest();
  expect(await refusal("GET", "/:namespace/repos", { params: { namespace: "../x" } })).toMatchObject({
    status: 400,
    code: 10_100,
  });
});

describe("repositories", () => {
  test("a new repository is returned with the same remote for any spelling of its name", async () => {
    const { create, call } = await openRest();
    const { status, result } = await create("ev-a");
    expect(status).toBe(201);
    expect(result).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/) as string,
      name: "ev-a",
      description: null,
      default_branch: "main",
      remote: `${origin}/git/events/ev-a.git`,
      token: expect.stringMatching(/^art_v1_[0-9a-f]{40}\?expires=\d+$/) as string,
    });
    const { token: _token, ...made } = result as Record<string, unknown>;
    expect(_token).toBeDefined();
    const read = await call("GET", "/:namespace/repos/:name", {
      params: { name: "EV-A", namespace: "EVENTS" },
    });
    expect(read.result).toEqual({
      ...made,
      created_at: "2026-11-20T12:00:00.000Z",
      updated_at: "2026-11-20T12:00:00.000Z",
      last_push_at: null,
      source: null,
      read_only: false,
      status: "ready",
    });
  });

  test.each([
    [undefined, 10_100, "A JSON object with fields is needed."],
    [[], 10_100, "A JSON object with fields is needed."],
    [{}, 10_100, "The field name is missing."],
    [{ name: 5 }, 10_100, "The field name must be a string."],
    [{ name: "" }, 10_101, "The repository name is empty."],
    [{ name: "nul.txt" }, 10_101, "The repository name is the name of a device on Windows."],
    [{ name: "a", default_branch: "-x" }, 10_100, "The default branch is not a valid Git branch name."],
    [{ name: "a", default_branch: "" }, 10_100, "The default branch is not a valid Git branch name."],
    [{ name: "a", read_only: "yes" }, 10_100, "The field read_only must be true or false."],
  ])("a body of %j is refused with %d", async (body, code, message) => {
    const { refusal } = await openRest();
    expect(await refusal("POST", "/:namespace/repos", { body })).toEqual({ status: 400, code, message });
  });

  test("a name that exists is 409, an unknown one 404, a deletion 202 and then 404", async () => {
    const { create, call, refusal } = await openRest();
    const { result } = await create("ev");
    expect(await refusal("POST", "/:namespace/repos", { body: { name: "EV" } })).toMatchObject({
      status: 409,
      code: 10_201,
    });
    const params = { name: "ev" };
    const deleted = await call("DELETE", "/:namespace/repos/:name", { params });
    expect(deleted).toEqual({ status: 202, result: { id: (result as { id: string }).id } });
    for (const method of ["GET", "DELETE"]) {
      expect(await refusal(method, "/:namespace/repos/:name", { params })).toMatchObject({
        status: 404,
        code: 10_200,
      });
    }
  });

  test("lists are paged, and the last page has an empty cursor", async () => {
    const { create, call } = await openRest();
    for (const name of ["a", "b", "c"]) await create(name);
    const first = await call("GET", "/:namespace/repos", {
      query: "limit=2&sort=name&direction=asc&cursor=",
    });
    expect(first.resultInfo).toEqual({ cursor: expect.stringMatching(/./) as string, per_page: 2, count: 2 });
    const cursor = String(first.resultInfo?.cursor);
    const last = await call("GET", "/:namespace/repos", {
      query: `limit=2&sort=name&direction=asc&cursor=${cursor}&unknown=1`,
    });
    expect(last.result).toMatchObject([{ name: "c", status: "ready" }]);
    expect(last.resultInfo).toEqual({ cursor: "", per_page: 2, count: 1 });
    const found = await call("GET", "/:namespace/repos", { query: "search=B" });
    expect(found.result).toMatchObject([{ name: "b" }]);
    expect((await call("GET", "/:namespace/repos", { params: { namespace: "none" } })).result).toEqual([]);
  });

  test.each([
    "limit=0",
    "limit=201",
    "limit=x",
    "limit=1.5",
    "limit=1&limit=2",
    "sort=size",
    "direction=up",
    "cursor=x",
  ])("a list with %s is 400", async (query) => {
    const { refusal } = await openRest();
    const problem = await refusal("GET", "/:namespace/repos", { query });
    expect(problem).toMatchObject({ status: 400, code: 10_100 });
    expect(problem.message).toContain(query.split("=")[0]!);
  });

  test("a fork counts its objects; an import answers like a creation", async () => {
    const { create, call } = await openRest();
    await create("ev-a");
    const fork = await call("POST", "/:namespace/repos/:name/fork", {
      params: { name: "ev-a" },
      body: { name: "ev-f" },
    });
    expect(fork).toMatchObject({
      status: 201,
      result: { name: "ev-f", objects: 7, remote: `${origin}/git/events/ev-f.git` },
    });
    const body = { url: "https://host.example/a.git", read_only: true };
    const imported = await call("POST", "/:namespace/repos/:name/import", { params: { name: "ev-i" }, body });
    expect(imported).toMatchObject({ status: 201, result: { name: "ev-i", default_branch: "main" } });
    const read = await call("GET", "/:namespace/repos/:name", { params: { name: "ev-i" } });
    expect(read.result).toMatchObject({ read_only: true, source: "git:https://host.example/a.git" });
  });

  test.each([
    [new ArtifactsError("UPSTREAM_UNAVAILABLE", "The other service failed.", { status: 502 }), 502, 10_401],
    [
      new ArtifactsError("UPSTREAM_UNAVAILABLE", "The other service is too slow.", { status: 504 }),
      504,
      10_401,
    ],
    [new ArtifactsError("UPSTREAM_UNAVAILABLE", "There is no Git here."), 503, 10_401],
    [new ArtifactsError("MEMORY_LIMIT", "It is too large."), 413, 10_402],
    [new ArtifactsError("REMOTE_AUTH_REQUIRED", "It wants a token."), 422, 10_106],
  ])("an import that fails with “%s” is %d", async (error, status, code) => {
    const { refusal } = await openRest({ ...easyTransfer, import: () => Promise.reject(error) });
    const given = { params: { name: "ev" }, body: { url: "https://host.example/a" } };
    const problem = await refusal("POST", "/:namespace/repos/:name/import", given);
    expect(problem).toEqual({ status, code, message: error.message });
  });

  test("a repository that is still being imported is 409", async () => {
    const started = Promise.withResolvers<undefined>();
    const done = Promise.withResolvers<{ objects: number; defaultBranch: string }>();
    const { call, refusal } = await openRest({
      ...easyTransfer,
      import: () => {
        started.resolve(undefined);
        return done.promise;
      },
    });
    const params = { name: "ev" };
    const importing = call("POST", "/:namespace/repos/:name/import", {
      params,
      body: { url: "https://host.example/a" },
    });
    await started.promise;
    for (const path of ["/:namespace/repos/:name", "/:namespace/repos/:name/tokens"]) {
      expect(await refusal("GET", path, { params })).toMatchObject({ status: 409, code: 10_302 });
    }
    done.resolve({ objects: 1, defaultBranch: "main" });
    await importing;
    expect((await call("GET", "/:namespace/repos/:name", { params })).result).toMatchObject({
      status: "ready",
    });
  });
});

describe("tokens", () => {
  test("are created for a day with scope write by default", async () => {
    const { create, call } = await openRest();
    await create("ev");
    const { status, result } = await call("POST", "/:namespace/tokens", { body: { repo: "ev" } });
    expect(status).toBe(201);
    expect(Object.keys(result as object)).toEqual(["id", "plaintext", "scope", "expires_at"]);
    expect(result).toMatchObject({ scope: "write", expires_at: "2026-11-21T12:00:00.000Z" });
    const read = await call("POST", "/:namespace/tokens", { body: { repo: "ev", scope: "read", ttl: 60 } });
    expect(read.result).toMatchObject({ scope: "read", expires_at: "2026-11-20T12:01:00.000Z" });
  });

  test.each([
    [{ repo: "ev", ttl: 59 }, 400, 10_103],
    [{ repo: "ev", ttl: 31_536_001 }, 400, 10_103],
    [{ repo: "ev", ttl: 1.5 }, 400, 10_103],
    [{ repo: "ev", ttl: "60" }, 400, 10_100],
    [{ repo: "ev", ttl: null }, 400, 10_100],
    [{ repo: "ev", scope: "admin" }, 400, 10_100],
    [{ repo: "none" }, 404, 10_200],
    [{}, 400, 10_100],
  ])("a body of %j is refused with %d and %d", async (body, status, code) => {
    const { create, refusal } = await openRest();
    await create("ev");
    expect(await refusal("POST", "/:namespace/tokens", { body })).toMatchObject({ status, code });
  });

  test("are listed without secrets and revoked once by id", async () => {
    const { create, call, refusal } = await openRest();
    const { token } = (await create("ev")).result as { token: string };
    const params = { name: "ev" };
    const list = await call("GET", "/:namespace/repos/:name/tokens", {
      params,
      query: "state=all&per_page=1",
    });
    expect(list.resultInfo).toEqual({ page: 1, per_page: 1, total_pages: 1, count: 1, total_count: 1 });
    expect(JSON.stringify(list)).not.toContain(token.slice(7, 47));
    const [{ id }] = list.result as [{ id: string }];
    expect(await call("DELETE", "/:namespace/tokens/:name", { params: { name: id } })).toEqual({
      result: { id },
    });
    for (const name of [id, "../x", token, "0123456789abcdef"]) {
      expect(await refusal("DELETE", "/:namespace/tokens/:name", { params: { name } })).toMatchObject({
        status: 404,
        code: 10_200,
      });
    }
    expect((await call("GET", "/:namespace/repos/:name/tokens", { params })).result).toEqual([]);
  });

  test.each(["state=old", "per_page=101", "per_page=0", "page=0", "page=x"])(
    "a list with %s is 400",
    async (query) => {
      const { create, refusal } = await openRest();
      await create("ev");
      const given = { params: { name: "ev" }, query };
      expect(await refusal("GET", "/:namespace/repos/:name/tokens", given)).toMatchObject({
        status: 400,
        code: 10_100,
      });
    },
  );
});

test("namespaces are created explicitly or with a repository, and count their repositories", async () => {
  const { create, call, refusal } = await openRest();
  await create("ev");
  const times = { created_at: "2026-11-20T12:00:00.000Z", updated_at: "2026-11-20T12:00:00.000Z" };
  expect(await call("POST", "", { body: { namespace: "Empty" } })).toEqual({
    status: 201,
    result: { namespace: "Empty", repo_count: 0, ...times },
  });
  expect((await call("GET", "")).result).toMatchObject([{ namespace: "Empty" }, { namespace: "events" }]);
  expect((await call("GET", "/:namespace")).result).toEqual({ namespace: "events", repo_count: 1, ...times });
  expect(await refusal("GET", "/:namespace", { params: { namespace: "none" } })).toMatchObject({
    status: 404,
  });
  expect(await refusal("POST", "", { body: { namespace: "EVENTS" } })).toMatchObject({
    status: 409,
    code: 10_201,
  });
  expect(await refusal("POST", "", { body: { namespace: "a b" } })).toMatchObject({
    status: 400,
    code: 10_100,
  });
  expect(await refusal("POST", "", { body: { namespace: "eu", jurisdiction: "eu" } })).toEqual({
    status: 400,
    code: 10_100,
    message: "The field jurisdiction cannot be chosen: everything is kept on this machine.",
  });
});

test("every code has an error status, and other errors have none", () => {
  for (const code of Object.keys(artifactsErrorNumbers) as ArtifactsErrorCode[]) {
    const problem = toProblem(new ArtifactsError(code, "It failed."))!;
    expect(problem.status).toBeGreaterThanOrEqual(400);
    expect(problem).toMatchObject({ code: artifactsErrorNumbers[code], message: "It failed." });
  }
  expect(toProblem(new Error("A fault of ours."))).toBeUndefined();
});
