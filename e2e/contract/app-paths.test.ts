// The paths outside the contract, over a real socket: what an action needs, what reading needs, and the form of every
// refusal. The app is the launcher's own process; `serve` has no token and is read-only.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FeedList } from "../../shared/contract/feed-health.ts";
import { openApiPath } from "../../shared/contract/openapi.ts";
import { toPath } from "../../shared/contract/operations.ts";
import { ConfiguredOverlay, OverlayList } from "../../shared/contract/overlays.ts";
import { StormEventList } from "../../shared/contract/storm-event.ts";
import { startApp, type RunningApp } from "../support/app-process.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { preparedEventId, prepareDataDirectory } from "../../electron/support/prepared-data.ts";

interface Attempt {
  readonly name?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

const registration = {
  id: "plains-2024",
  label: "Plains hail",
  startedAt: "2024-02-28T00:00:00Z",
  endedAt: "2024-02-28T05:00:00Z",
};

let directory: string;
let app: RunningApp;

beforeAll(async () => {
  directory = makeTemporaryDirectory("app-paths");
  await prepareDataDirectory(directory);
  app = await startApp(directory);
}, 120_000);

afterAll(async () => {
  expect(await app.stop()).toBe(0);
  removeDirectory(directory);
});

function attempt(origin: string, { name = "tasks.list", method = "POST", headers, body = {} }: Attempt) {
  return fetch(`${origin}/app/${name}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

const act = (given: Attempt): Promise<Response> =>
  attempt(app.origin, { ...given, headers: { authorization: `Bearer ${app.token}`, ...given.headers } });

/** Expects one sentence for a person, without facts of the machine. */
async function expectRefused(response: Response, status: number): Promise<string> {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  const body = (await response.json()) as Record<string, string>;
  expect(Object.keys(body)).toEqual(["message"]);
  const { message = "" } = body;
  expect(message).toMatch(/^[A-Z][^\n]*\.$/);
  expect(message).not.toContain(directory);
  expect(message).not.toContain(app.token);
  expect(message).not.toMatch(/node:|\.ts\b|\bat .*:\d/);
  return message;
}

describe("acting", () => {
  test("accepts the token from a program and from our own page", async () => {
    expect((await act({})).status).toBe(200);
    const fromPage = { origin: app.origin, "sec-fetch-site": "same-origin" };
    expect((await act({ headers: fromPage })).status).toBe(200);
  });

  test("is refused without the token, with another one, and with the token anywhere else", async () => {
    await expectRefused(await attempt(app.origin, {}), 401);
    for (const authorization of ["Bearer x", `Bearer ${app.token}A`, `Basic ${app.token}`, app.token]) {
      await expectRefused(await attempt(app.origin, { headers: { authorization } }), 401);
    }
    await expectRefused(await attempt(app.origin, { headers: { cookie: `token=${app.token}` } }), 401);
    await expectRefused(await attempt(app.origin, { body: { token: app.token } }), 401);
  });

  test("is refused to another site's page even with the token", async () => {
    await expectRefused(await act({ headers: { origin: "http://evil.example" } }), 403);
    await expectRefused(await act({ headers: { origin: "null" } }), 403);
    await expectRefused(await act({ headers: { "sec-fetch-site": "cross-site" } }), 403);
  });

  test("accepts only a POST of JSON, of limited size, to a known action", async () => {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
      const response = await act({ method });
      expect(response.headers.get("allow")).toBe("POST");
      await expectRefused(response, 405);
    }
    for (const name of ["tasks.explode", "files.add", "app.info", "", "tasks.list%2f", "constructor"]) {
      await expectRefused(await act({ name }), 404);
    }
    await expectRefused(await act({ headers: { "content-type": "text/plain" } }), 415);
    await expectRefused(await act({ headers: { "content-encoding": "gzip" } }), 415);
    await expectRefused(await act({ body: "{" }), 400);
    await expectRefused(await act({ body: "x".repeat(1_000_000) }), 413);
  });

  test("accepts only valid input, and says what is wrong with another", async () => {
    for (const body of [[], "null", { taskId: 1 }, { unknown: true }]) {
      await expectRefused(await act({ body }), 400);
    }
    for (const id of ["../x", "", "A", "x".repeat(65)]) {
      const message = await expectRefused(
        await act({ name: "events.register", body: { ...registration, id } }),
        400,
      );
      expect(message).toContain("id");
    }
    const backwards = { ...registration, endedAt: registration.startedAt };
    expect(await expectRefused(await act({ name: "events.register", body: backwards }), 400)).toBe(
      "The end must be after the start.",
    );
    await expectRefused(
      await act({
        name: "events.fetch",
        body: { eventId: preparedEventId, source: "file:///etc/passwd" },
      }),
      400,
    );
  });
});

describe("what acting does", () => {
  test("a registered window is listed immediately, without data, and only once", async () => {
    const registered = await act({ name: "events.register", body: registration });
    expect(registered.status).toBe(200);
    expect(await registered.json()).toEqual({ eventId: registration.id });
    const { events } = StormEventList.parse(await (await fetch(`${app.origin}/v1/storm-events`)).json());
    expect(events.find(({ id }) => id === registration.id)).toMatchObject({
      kind: "historical-event",
      label: registration.label,
      status: "active",
      bounds: null,
      currentRevisionId: null,
    });
    expect((await act({ name: "events.register", body: registration })).status).toBe(200);
    const other = { ...registration, endedAt: "2024-02-28T06:00:00Z" };
    await expectRefused(await act({ name: "events.register", body: other }), 409);
  });

  test("offers the catalog, and gives 404 for other names", async () => {
    const { events } = (await (await act({ name: "events.known" })).json()) as {
      events: { name: string; label: string }[];
    };
    expect(events.length).toBeGreaterThan(0);
    await expectRefused(await act({ name: "events.registerKnown", body: { name: "no-such" } }), 404);
    const { name } = events[0]!;
    const registered = await act({ name: "events.registerKnown", body: { name } });
    expect(await registered.json()).toEqual({ eventId: name });
  });

  test("a replay is a task that can be followed to its end", async () => {
    const started = await act({ name: "events.replay", body: { eventId: preparedEventId, speed: 100 } });
    expect(await started.json()).toMatchObject({ kind: "replay", eventId: `${preparedEventId}-replay` });
    const list = async () => {
      const { tasks } = (await (await act({})).json()) as { tasks: unknown[] };
      return tasks[0];
    };
    await expect.poll(list).toMatchObject({ state: "done", progress: { done: 1, total: 1 } });
    const manifest = await fetch(`${app.origin}/v1/storm-events/${preparedEventId}-replay/manifest`);
    expect(await manifest.text()).toContain("REPLAY");
    await expectRefused(await act({ name: "tasks.pause", body: { taskId: "task-1" } }), 409);
    await expectRefused(await act({ name: "tasks.stop", body: { taskId: "task-99" } }), 404);
  });

  test("an archived event takes nothing more", async () => {
    await expectRefused(await act({ name: "events.archive", body: { eventId: "nowhere" } }), 404);
    const archived = await act({ name: "events.archive", body: { eventId: registration.id } });
    expect(archived.status).toBe(200);
    const { events } = StormEventList.parse(await (await fetch(`${app.origin}/v1/storm-events`)).json());
    expect(events.find(({ id }) => id === registration.id)?.status).toBe("archived");
  });

  test("the contract's paths are read-only, even with a token", async () => {
    const headers = { authorization: `Bearer ${app.token}`, "content-type": "application/json" };
    for (const path of ["/v1/storm-events", "/v1/data/status", "/app/feeds", "/", openApiPath]) {
      const response = await fetch(app.origin + path, { method: "POST", headers, body: "{}" });
      expect(response.headers.get("allow")).toBe("GET, HEAD");
      await expectRefused(response, 405);
    }
  });
});

describe("overlays", () => {
  test("of a person are added with the token, and their bytes are read by the page", async () => {
    const folder = makeTemporaryDirectory("overlays");
    const text = "Title: Spotters\n";
    writeFileSync(join(folder, "spotters.txt"), text);
    const draft = { name: "Spotters", on: true, source: { kind: "folder", path: folder, newest: 1 } };
    const add = { name: "overlays.add", body: draft };
    await expectRefused(await attempt(app.origin, add), 401);
    const { id } = ConfiguredOverlay.parse(await (await act(add)).json());
    const list = async () =>
      OverlayList.parse(await (await fetch(`${app.origin}/app/overlays`)).json()).overlays;
    await expect.poll(async () => (await list())[0]?.files.length, { timeout: 30_000 }).toBe(1);
    const [overlay] = await list();
    expect(JSON.stringify(overlay)).not.toContain(folder);
    const file = await fetch(app.origin + toPath("getOverlayFile", { sha256: overlay!.files[0]!.sha256 }));
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await file.text()).toBe(text);
    expect(await (await act({ name: "overlays.remove", body: { id } })).json()).toEqual({ id });
    expect(await list()).toEqual([]);
    removeDirectory(folder);
  });
});

describe("looking", () => {
  let host: RunningHost;
  let readOnly: string;

  beforeAll(async () => {
    readOnly = makeTemporaryDirectory("read-only");
    await prepareDataDirectory(readOnly);
    host = await startHost(readOnly);
  }, 120_000);

  afterAll(async () => {
    expect(await host.stop()).toBe(0);
    removeDirectory(readOnly);
  });

  test("needs no token, also for the health of the feeds", async () => {
    for (const origin of [app.origin, host.origin]) {
      const response = await fetch(`${origin}/app/feeds`);
      expect(response.status).toBe(200);
      expect(FeedList.parse(await response.json())).toEqual({ feeds: [] });
      expect((await fetch(`${origin}/app/feeds`, { method: "HEAD" })).status).toBe(200);
    }
  });

  test("is all that serve allows, because it has no token", async () => {
    for (const authorization of ["", "Bearer ", `Bearer ${app.token}`]) {
      const message = await expectRefused(
        await attempt(host.origin, {
          name: "events.register",
          headers: { authorization },
          body: registration,
        }),
        403,
      );
      expect(message).toContain("read-only");
    }
    const { events } = StormEventList.parse(await (await fetch(`${host.origin}/v1/storm-events`)).json());
    expect(events.map(({ id }) => id)).toEqual([preparedEventId]);
  });
});
