import { describe, expect, test } from "vitest";
import { stepsOf } from "../../shared/views/support/example-steps.ts";
import { exampleHistory, steadyFrames } from "../support/example-data.ts";
import { createStormClient } from "./client.ts";
import { ApiError, isAbort, type ApiErrorCode } from "./service-errors.ts";

const events = { schemaVersion: 1, generatedAt: "2022-07-04T11:00:00Z", events: [] };

interface Sent {
  readonly path: string;
  readonly headers: Headers;
}

/** A fetch that answers in turn; the last answer is repeated. */
function createFetch(...answers: (() => Response | Promise<Response>)[]): {
  fetch: typeof fetch;
  sent: Sent[];
} {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (input, init) => {
      sent.push({ path: input as string, headers: new Headers(init?.headers) });
      init?.signal?.throwIfAborted();
      return (answers[sent.length - 1] ?? answers.at(-1)!)();
    },
  };
}

function json(body: unknown, init: ResponseInit = {}): () => Response {
  return () => Response.json(body, init);
}

async function codeOf(promise: Promise<unknown>): Promise<ApiErrorCode> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return (error as ApiError).code;
}

describe("the storm client", () => {
  test("requests as many revisions as the contract allows", async () => {
    const { fetch, sent } = createFetch(json(exampleHistory(steadyFrames(2))));
    const history = await createStormClient({ fetch }).listRevisions("iowa");
    expect(history.frames).toHaveLength(2);
    expect(sent[0]?.path).toBe("/v1/storm-events/iowa/revisions?limit=360");
  });

  test("requests a page before a sequence, each anew, and revalidates only the newest", async () => {
    const { frames, ...head } = exampleHistory(steadyFrames(2));
    const page = {
      ...head,
      frames: frames.map((frame) => ({ ...frame, publishedAt: frame.observedAt, change: "first" })),
    };
    const { fetch, sent } = createFetch(json(page, { headers: { etag: '"one"' } }));
    const client = createStormClient({ fetch });
    await client.listEarlierRevisions("iowa", { before: 641 });
    await client.listEarlierRevisions("iowa", { before: 641, limit: 1 });
    await client.listEarlierRevisions("iowa", {});
    const newest = await client.listEarlierRevisions("iowa", {});
    expect(newest.frames.map(({ change }) => change)).toEqual(["first", "first"]);
    expect(sent.map(({ path, headers }) => [path, headers.get("if-none-match")])).toEqual([
      ["/app/events/iowa/revisions?before=641&limit=360", null],
      ["/app/events/iowa/revisions?before=641&limit=1", null],
      ["/app/events/iowa/revisions?limit=360", null],
      ["/app/events/iowa/revisions?limit=360", '"one"'],
    ]);
  });

  test("finds a page unreadable that says nothing of publication", async () => {
    const { fetch } = createFetch(json(exampleHistory(steadyFrames(2))));
    expect(await codeOf(createStormClient({ fetch }).listEarlierRevisions("iowa", {}))).toBe("unreadable");
  });

  test("reads the steps of a briefing, and revalidates them", async () => {
    const steps = { version: 3, changedAt: "2022-07-04T11:00:00Z", document: stepsOf("iowa", "a", "b") };
    const { fetch, sent } = createFetch(
      json(steps, { headers: { etag: '"three"' } }),
      () => new Response(null, { status: 304 }),
    );
    const client = createStormClient({ fetch });
    const first = await client.getSteps("iowa");
    expect(first).toEqual(steps);
    expect(await client.getSteps("iowa")).toBe(first);
    expect(sent.map(({ path, headers }) => [path, headers.get("if-none-match")])).toEqual([
      ["/app/events/iowa/steps", null],
      ["/app/events/iowa/steps", '"three"'],
    ]);
  });

  test("escapes what the person typed", async () => {
    const { fetch, sent } = createFetch(json({ attribution: "", provider: "place-data", results: [] }));
    await createStormClient({ fetch }).searchPlaces("a&b=c é");
    expect(sent[0]?.path).toBe("/v1/places/search?q=a%26b%3Dc%20%C3%A9");
  });

  test("answers an unchanged list with the very object of the last reading", async () => {
    const { fetch, sent } = createFetch(
      json(events, { headers: { etag: '"one"' } }),
      () => new Response(null, { status: 304 }),
      json({ ...events, generatedAt: "2022-07-04T12:00:00Z" }, { headers: { etag: '"two"' } }),
    );
    const client = createStormClient({ fetch });
    const first = await client.listEvents();
    const second = await client.listEvents();
    const third = await client.listEvents();
    expect(sent.map(({ headers }) => headers.get("if-none-match"))).toEqual([null, '"one"', '"one"']);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test("ignores unknown keys", async () => {
    const { fetch } = createFetch(json({ ...events, more: 1 }));
    await expect(createStormClient({ fetch }).listEvents()).resolves.toEqual(events);
  });

  test.each<[number, ApiErrorCode]>([
    [400, "invalid-request"],
    [404, "not-found"],
    [429, "rate-limited"],
    [502, "unavailable"],
    [503, "unavailable"],
    [504, "timed-out"],
    [500, "refused"],
    [418, "refused"],
  ])("converts status %i to %s, with the service's message", async (status, code) => {
    const { fetch } = createFetch(json({ message: "A sentence." }, { status }));
    const promise = createStormClient({ fetch }).searchPlaces("ames");
    await expect(promise).rejects.toMatchObject({ code, message: "A sentence." });
  });

  test("has its own message for a plain text body", async () => {
    const { fetch } = createFetch(() => new Response("no such thing", { status: 404 }));
    await expect(createStormClient({ fetch }).getRevisionManifest("a", "b")).rejects.toMatchObject({
      code: "not-found",
      message: "The service answered 404.",
    });
  });

  test("reports an answer that is not JSON or breaks the contract as unreadable, and where", async () => {
    const html = createFetch(() => new Response("<html>"));
    expect(await codeOf(createStormClient(html).listEvents())).toBe("unreadable");
    const broken = createFetch(json({ ...events, events: [{ id: 7 }] }));
    await expect(createStormClient(broken).listEvents()).rejects.toThrow("events.0.id");
  });

  test("calls a service that does not answer unreachable", async () => {
    const { fetch } = createFetch(() => Promise.reject(new TypeError("fetch failed")));
    expect(await codeOf(createStormClient({ fetch }).getDataStatus())).toBe("unreachable");
  });

  test("times out if the service takes too long", async () => {
    const fetch: typeof globalThis.fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => {
          reject(init.signal?.reason as Error);
        });
      });
    expect(await codeOf(createStormClient({ fetch, timeoutMs: 5 }).listEvents())).toBe("timed-out");
  });

  test("passes the caller's own abort through", async () => {
    const { fetch } = createFetch(json(events));
    const controller = new AbortController();
    controller.abort();
    const error: unknown = await createStormClient({ fetch })
      .listEvents(controller.signal)
      .catch((reason: unknown) => reason);
    expect(isAbort(error)).toBe(true);
  });
});
