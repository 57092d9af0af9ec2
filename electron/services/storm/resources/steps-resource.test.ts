import { expect, test } from "vitest";
import { StoredSteps } from "../../../../shared/views/briefing-steps.ts";
import { stepsOf } from "../../../../shared/views/support/example-steps.ts";
import { startTestService, type TestService } from "../support/test-service.ts";

const path = "/app/events/storm/steps";

async function startWithEvent(): Promise<TestService> {
  const service = await startTestService();
  service.catalog.addEvent({ id: "storm" });
  return service;
}

function save({ catalog }: TestService, version: number, document: string): void {
  catalog.setSteps({ eventId: "storm", version, changedAt: "2026-05-20T21:00:00Z", document });
}

test("steps that were saved are read with their version, and revalidated by their content", async () => {
  const service = await startWithEvent();
  const document = stepsOf("storm", "a", "b");
  save(service, 4, JSON.stringify(document));
  const first = await service.get(path);
  expect(first.status).toBe(200);
  expect(first.headers.get("cache-control")).toBe("no-cache");
  expect(await first.json()).toEqual({ version: 4, changedAt: "2026-05-20T21:00:00Z", document });
  const etag = first.headers.get("etag")!;
  expect(etag).toMatch(/^"[0-9a-f]+"$/);
  expect((await service.get(path, { "if-none-match": etag })).status).toBe(304);
  save(service, 5, JSON.stringify(stepsOf("storm", "a")));
  const second = await service.get(path, { "if-none-match": etag });
  expect(StoredSteps.parse(await second.json())).toMatchObject({
    version: 5,
    document: { steps: [{ id: "a" }] },
  });
});

test("an event without steps has an empty list of version 0", async () => {
  const service = await startWithEvent();
  expect(await (await service.get(path)).json()).toEqual({
    version: 0,
    changedAt: null,
    document: { format: "echotop-steps", version: 1, eventId: "storm", steps: [] },
  });
});

test.each(["/app/events/unknown/steps", "/app/events/UP/steps", "/app/events/..%2fx/steps"])(
  "%s is 404",
  async (unknown) => {
    const service = await startWithEvent();
    expect((await service.get(unknown)).status).toBe(404);
  },
);

test.each(["{", "[]", JSON.stringify({ ...stepsOf("storm"), script: 1 })])(
  "damaged steps are 502, a line of the log, and never a body: %s",
  async (document) => {
    const service = await startWithEvent();
    save(service, 1, document);
    const response = await service.get(path);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ message: "The stored data is damaged." });
    expect(service.log.map(({ message }) => message)).toEqual([
      "A request failed: The steps of this briefing are damaged.",
    ]);
  },
);

test("a service of the public has no steps, because notes are private", async () => {
  const service = await startTestService({ isPublic: true });
  service.catalog.addEvent({ id: "storm" });
  save(service, 1, JSON.stringify(stepsOf("storm", "a")));
  expect((await service.get(path)).status).toBe(404);
});
