// Tests of what a client receives for damaged manifests, alone and among valid ones.
import { describe, expect, test } from "vitest";
import { MrmsHistory } from "../../../shared/contract/history.ts";
import { ErrorBody } from "../../../shared/contract/primitives.ts";
import { toManifest } from "./support/memory-catalog.ts";
import { startTestService } from "./support/test-service.ts";

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

const sound = toManifest("storm", "R1", 1, "2026-05-20T21:00:00Z");

describe("damaged manifests", () => {
  test.each<[string, { bytes?: Uint8Array; sha256?: string }]>([
    ["no JSON", { bytes: Buffer.from("{") }],
    ["empty", { bytes: new Uint8Array() }],
    ["not UTF-8", { bytes: Buffer.from([0x22, 0xff, 0x22]) }],
    ["null", { bytes: json(null) }],
    ["without layers", { bytes: json({ ...sound, layers: [] }) }],
    ["of another mode", { bytes: json({ ...sound, mode: "replay" }) }],
    ["with an opacity of 2", { bytes: json({ ...sound, layers: [{ ...sound.layers[0], opacity: 2 }] }) }],
    [
      "with bounds off the Earth",
      { bytes: json({ ...sound, layers: [{ ...sound.layers[0], bounds: [0, 0, 0, 91] }] }) },
    ],
    ["of another event", { bytes: json({ ...sound, eventId: "other" }) }],
    ["of another revision", { bytes: json({ ...sound, revisionId: "R2" }) }],
    ["changed since publication", { sha256: "0".repeat(64) }],
  ])("a stored manifest that is %s gets 502 and one log line", async (_, change) => {
    const { catalog, get, log } = await startTestService();
    catalog.publish("storm", change);
    for (const path of ["/v1/storm-events/storm/manifest", "/v1/storm-events/storm/revisions/R1/manifest"]) {
      for (let again = 0; again < 2; again += 1) {
        const response = await get(path, { "if-none-match": "*" });
        expect(response.status).toBe(502);
        expect(response.headers.get("etag")).toBeNull();
        expect(response.headers.get("cache-control")).toBe("no-store");
        const body = (await response.json()) as ErrorBody;
        expect(ErrorBody.parse(body)).toEqual(body);
        expect(body.message).toBe("The stored data is damaged.");
      }
    }
    const lines = log.filter(({ message }) => message.includes("manifest is damaged and is not served"));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.facts).toMatchObject({ eventId: "storm", revisionId: "R1" });
  });

  test("the list omits a damaged revision and keeps the order", async () => {
    const { catalog, get, log } = await startTestService();
    catalog.publish("storm");
    catalog.publish("storm", { bytes: Buffer.from("{}") });
    catalog.publish("storm");
    const history = MrmsHistory.parse(await (await get("/v1/storm-events/storm/revisions")).json());
    expect(history.frames.map(({ sequence }) => sequence)).toEqual([1, 3]);
    expect(history.latestSequence).toBe(3);
    expect(log.some(({ facts }) => facts?.revisionId === "R2")).toBe(true);
  });

  test("a list has the texts of its newest valid manifest, or else those of its origin", async () => {
    const { catalog, get } = await startTestService();
    const readHead = async (eventId: string): Promise<MrmsHistory> =>
      MrmsHistory.parse(await (await get(`/v1/storm-events/${eventId}/revisions`)).json());
    catalog.publish("storm");
    catalog.publish("storm", { bytes: Buffer.from("{}") });
    expect(await readHead("storm")).toMatchObject({
      attribution: "Somebody",
      disclosure: "Made for a test.",
    });
    catalog.addEvent({ id: "empty", origin: "synthetic" });
    expect((await readHead("empty")).disclosure).toMatch(/^SYNTHETIC/);
  });

  test("optional members may be missing from a stored manifest", async () => {
    const identity = ["eventId", "revisionId", "sequence"];
    const anonymous = Object.fromEntries(Object.entries(sound).filter(([name]) => !identity.includes(name)));
    const { catalog, get } = await startTestService();
    catalog.publish("storm", { bytes: json(anonymous) });
    const response = await get("/v1/storm-events/storm/manifest");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(anonymous);
  });
});
