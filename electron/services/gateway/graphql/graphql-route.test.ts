// The log by GraphQL (D53): the same records as by REST, grouped; faults of a query are in `errors`.
import { getIntrospectionQuery } from "graphql";
import { expect, test } from "vitest";
import { makeRecord, makeRedirect } from "../support/sample-records.ts";
import { startZoneApi, type ZoneApi } from "../support/zone-api.ts";

interface Answer {
  readonly status: number;
  readonly data?: { readonly viewer: { readonly zones: readonly Record<string, unknown>[] } } | null;
  readonly errors?: readonly { readonly message: string }[];
}

async function ask(api: ZoneApi, body: unknown): Promise<Answer> {
  const text = JSON.stringify(body);
  const response = await api.ask("/client/v4/graphql", "zone-settings:read", { method: "POST", body: text });
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  return { status: response.status, ...((await response.json()) as object) };
}

const dataset = (rest: string): string =>
  `{ viewer { zones(filter: { zoneTag: "z1" }) { httpRequestsAdaptiveGroups${rest} } } }`;

/** Returns the groups of a valid query. */
async function groupsOf(api: ZoneApi, rest: string): Promise<unknown> {
  const { status, data, errors } = await ask(api, { query: dataset(rest) });
  expect([status, errors]).toEqual([200, undefined]);
  return data!.viewer.zones[0]!.httpRequestsAdaptiveGroups;
}

async function pathsFor(api: ZoneApi, filter: string): Promise<readonly string[]> {
  const groups = (await groupsOf(
    api,
    `(filter: { ${filter} }, limit: 100, orderBy: [clientRequestPath_ASC]) { dimensions { clientRequestPath } }`,
  )) as { dimensions: { clientRequestPath: string } }[];
  return groups.map(({ dimensions }) => dimensions.clientRequestPath);
}

async function startWithRecords(): Promise<ZoneApi> {
  const api = await startZoneApi();
  for (const n of [1, 2, 3]) api.log.append(makeRedirect(n, { path: "/r/1" }));
  api.log.append(makeRedirect(4, { redirectsForAiTrainingTarget: "https://brief.example/E/2" }));
  api.log.append(makeRecord(5, { path: "/100%_\\", status: 404 }));
  api.log.append(makeRecord(3_605, { host: "docs.brief.example", userAgent: 'it\'s "1"; --' }));
  api.log.append(makeRecord(6, { zoneId: "free", path: "/free" }));
  return api;
}

test("requests are grouped by the requested dimensions, counted, sorted and limited", async () => {
  const api = await startWithRecords();
  const fields =
    "count dimensions { clientRequestPath edgeResponseStatus verifiedBotCategory redirectsForAiTrainingTarget }";
  const target = "https://brief.example/e/1";
  expect(
    await groupsOf(api, `(limit: 2, orderBy: [count_DESC, clientRequestPath_ASC]) { ${fields} }`),
  ).toEqual([
    {
      count: 3,
      dimensions: {
        ...{ clientRequestPath: "/r/1", edgeResponseStatus: 301, verifiedBotCategory: "AI Crawler" },
        redirectsForAiTrainingTarget: target,
      },
    },
    {
      count: 1,
      dimensions: {
        ...{ clientRequestPath: "/100%_\\", edgeResponseStatus: 404, verifiedBotCategory: null },
        redirectsForAiTrainingTarget: null,
      },
    },
  ]);
  expect(await groupsOf(api, "(limit: 9) { count }")).toEqual([{ count: 6 }]);
  expect(
    await groupsOf(api, "(limit: 9, orderBy: [datetimeHour_ASC]) { count dimensions { h: datetimeHour } }"),
  ).toEqual([
    { count: 5, dimensions: { h: "2026-11-20T12:00:00Z" } },
    { count: 1, dimensions: { h: "2026-11-20T13:00:00Z" } },
  ]);
  expect(
    await groupsOf(api, "(filter: { edgeResponseStatus: 404 }, limit: 9) { dimensions { datetime } }"),
  ).toEqual([{ dimensions: { datetime: "2026-11-20T12:00:05.000Z" } }]);
});

test("every kind of filter compares as its name says", async () => {
  const api = await startWithRecords();
  const expected: Readonly<Record<string, readonly string[]>> = {
    'datetime_geq: "2026-11-20T12:00:04Z", datetime_lt: "2026-11-20T14:00:05+01:00"': ["/100%_\\", "/r/4"],
    'datetime_gt: "2026-11-20T12:00:04Z", datetime_leq: "2026-11-20T13:00:05Z"': ["/100%_\\", "/r/3605"],
    'datetime: "2026-11-20T12:00:04Z"': ["/r/4"],
    'datetimeHour: "2026-11-20T13:00:00Z"': ["/r/3605"],
    'clientRequestPath: "/r/1"': ["/r/1"],
    'clientRequestPath_neq: "/r/1", edgeResponseStatus: 301': ["/r/4"],
    'clientRequestPath_like: "/r/_"': ["/r/1", "/r/4"],
    'clientRequestPath_like: "/R/%"': [],
    'clientRequestPath_like: "%\\\\%\\\\_\\\\\\\\"': ["/100%_\\"],
    'clientRequestPath_notlike: "/r/%"': ["/100%_\\"],
    'clientRequestPath_in: ["/r/1", "/r/4", "/none"]': ["/r/1", "/r/4"],
    'clientRequestPath_notin: ["/r/1", "/r/4"]': ["/100%_\\", "/r/3605"],
    "edgeResponseStatus_geq: 300, edgeResponseStatus_lt: 400": ["/r/1", "/r/4"],
    'verifiedBotCategory: "AI Crawler"': ["/r/1", "/r/4"],
    'verifiedBotCategory_neq: "AI Crawler"': ["/100%_\\", "/r/3605"],
    'verifiedBotCategory: ""': ["/100%_\\", "/r/3605"],
    "verifiedBotCategory: null": ["/100%_\\", "/r/3605"],
    'redirectsForAiTrainingTarget_like: "https://brief.example/e/%"': ["/r/1"],
    'redirectsForAiTrainingTarget_neq: ""': ["/r/1", "/r/4"],
    "redirectsForAiTrainingTarget_neq: null": ["/r/1", "/r/4"],
    'userAgent_like: "it\'s \\"_\\"; --"': ["/r/3605"],
    'clientRequestHTTPHost: "docs.brief.example"': ["/r/3605"],
    'OR: [{ clientRequestPath: "/r/4" }, { edgeResponseStatus: 404 }]': ["/100%_\\", "/r/4"],
    'AND: [{ edgeResponseStatus: 301 }, { clientRequestPath_neq: "/r/1" }], OR: [{}]': ["/r/4"],
    "OR: []": [],
  };
  for (const [filter, paths] of Object.entries(expected)) {
    expect(await pathsFor(api, filter), filter).toEqual(paths);
  }
});

test("variables, fragments and directives are understood, and other services' names of scalars", async () => {
  const api = await startWithRecords();
  const query = `
    query Top($zoneTag: string!, $filter: ZoneHttpRequestsAdaptiveGroupsFilter_InputObject, $limit: uint64!, $host: Boolean!) {
      viewer { zones(filter: { zoneTag: $zoneTag }) { zoneTag httpRequestsAdaptiveGroups(filter: $filter, limit: $limit) {
        ...Counted dimensions { clientRequestHTTPHost @include(if: $host) datetime @skip(if: true) }
      } } }
    }
    fragment Counted on ZoneHttpRequestsAdaptiveGroups { count dimensions { ... { edgeResponseStatus } } }`;
  const filter = { edgeResponseStatus: 301, datetime_geq: "2026-11-20T12:00:00Z" };
  const variables = { zoneTag: "z1", filter, limit: 5, host: false };
  const { data, errors } = await ask(api, { query, variables, operationName: "Top" });
  expect(errors).toBeUndefined();
  expect(data!.viewer.zones).toEqual([
    {
      zoneTag: "z1",
      httpRequestsAdaptiveGroups: [{ count: 4, dimensions: { edgeResponseStatus: 301 } }],
    },
  ]);
});

test("faults of a query are in its errors", async () => {
  const api = await startWithRecords();
  const wrong: Readonly<Record<string, string>> = {
    [dataset("(limit: 1) { count colour }")]: 'Cannot query field "colour"',
    [dataset("(limit: 0) { count }")]: "limit must be from 1 to 5000",
    [dataset("(limit: 5001) { count }")]: "limit must be from 1 to 5000",
    [dataset("{ count }")]: 'of type "Int!" is required',
    [dataset("(limit: 1, orderBy: [datetime_ASC]) { count }")]: "not among the requested dimensions",
    [dataset('(limit: 1, filter: { datetime_geq: "yesterday" }) { count }')]: "Time",
    [dataset("(limit: 1, filter: { edgeResponseStatus_gt: null }) { count }")]: "cannot be null",
    [dataset("(limit: 1, filter: { clientRequestPath_like: 7 }) { count }")]: "String",
    '{ viewer { zones(filter: { zoneTag: "none" }) { zoneTag } } }': 'There is no zone "none" here.',
    "{ viewer { zones(filter: {}) { zoneTag } } }": "needs a zoneTag",
    "mutation { a }": "mutation",
    "{": "Syntax Error",
    "": "Syntax Error",
  };
  for (const [query, said] of Object.entries(wrong)) {
    const { status, errors } = await ask(api, { query });
    expect(status).toBe(200);
    expect(errors?.map(({ message }) => message).join("\n"), query).toContain(said);
  }
  for (const body of [
    {},
    { query: 7 },
    { query: "{a}", variables: [] },
    { query: "{a}", operationName: {} },
  ]) {
    expect(await ask(api, body)).toMatchObject({ status: 400, errors: [{}] });
  }
  const refused = await api.ask("/client/v4/graphql", "artifacts:edit", { method: "POST", body: "{}" });
  expect(refused.status).toBe(403);
});

test("an internal failure is logged, and its message does not leave the service", async () => {
  const api = await startZoneApi();
  await api.log.close();
  const answer = await ask(api, { query: dataset("(limit: 1) { count }") });
  expect(answer).toMatchObject({
    status: 500,
    errors: [{ message: expect.stringContaining("log says") as string }],
  });
  expect(api.api.log).toMatchObject([{ level: "error", facts: { route: "POST /client/v4/graphql" } }]);
});

test("the schema can be read", async () => {
  const { errors, data } = await ask(await startZoneApi(), { query: getIntrospectionQuery() });
  expect(errors).toBeUndefined();
  expect(JSON.stringify(data)).toContain("redirectsForAiTrainingTarget_like");
});
