// A mirror of a misbehaving service publishes nothing wrong, logs each cause once, and copies what is valid.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { MrmsManifest } from "../../../shared/contract/manifest.ts";
import { mirrorLimits } from "./mirror-limits.ts";
import {
  expectSound,
  follow,
  pollOften,
  sequencesOf,
  startForeign,
  waitFor,
  waitForSequences,
  type Follower,
} from "./support/follower.ts";
import type { ForeignService } from "./support/foreign-service.ts";

const hasty = { ...mirrorLimits, answerMs: 400, windowMs: 200, minWindowBytes: 1_000 };

describe("a service that misbehaves with one revision", () => {
  type Misdeed = readonly [name: string, bend: (service: ForeignService) => void, cause: string];
  const path = "/v1/storm-events/squall/revisions/R2T2/manifest";
  const image = "/mrms/events/squall/pictures/mrms-reflectivity-F2-squall.png";
  const second = (service: ForeignService) => service.revisions.get("squall")![1]!;
  const onPath =
    (at: string, answer: ForeignService["bend"]) =>
    (service: ForeignService): void => {
      service.bend = (request, response) => request.url === at && answer(request, response);
    };
  const changed =
    (change: (manifest: MrmsManifest) => unknown) =>
    (service: ForeignService): void => {
      const manifest = change(second(service).manifest);
      onPath(path, (_request, response) => {
        response.end(JSON.stringify(manifest));
        return true;
      })(service);
    };
  const misdeeds: readonly Misdeed[] = [
    ["a manifest that is not JSON", onPath(path, (_, response) => !!response.end("<html>")), "is not JSON"],
    [
      "a manifest without layers",
      changed((manifest) => ({ ...manifest, layers: [] })),
      "breaks the contract: layers",
    ],
    [
      "a manifest of another revision",
      changed((manifest) => ({ ...manifest, sequence: 7 })),
      "belongs to another revision",
    ],
    [
      "a manifest that differs from its list",
      changed((manifest) => ({
        ...manifest,
        layers: manifest.layers.map((layer) => ({ ...layer, observedAt: "2020-01-01T00:00:00Z" })),
      })),
      "disagree about its layers",
    ],
    [
      "a manifest that never ends",
      onPath(path, (_, response) => {
        const more = (): unknown =>
          response.writable && response.write(" ".repeat(65_536)) && setImmediate(more);
        response.on("drain", more);
        more();
        return true;
      }),
      "longer than the",
    ],
    [
      "a redirect",
      onPath(path, (_, response) => !!response.writeHead(307, { location: "http://127.0.0.1:9/" }).end()),
      "redirects to another address",
    ],
    [
      "a slow drip",
      onPath(image, (_, response) => {
        const drip = setInterval(() => response.write("."), 10);
        response.on("close", () => {
          clearInterval(drip);
        });
        return true;
      }),
      "too slow",
    ],
    ["no answer", onPath(image, () => true), "no response within"],
    [
      "a frame that is not a PNG",
      onPath(image, (_, response) => !!response.end("GIF89a")),
      "not a valid PNG",
    ],
    [
      "a truncated frame",
      onPath(image, (_, response) => {
        response.writeHead(200, { "content-length": "1000" }).write("\u0089PNG");
        setTimeout(() => response.destroy(), 5);
        return true;
      }),
      "was interrupted",
    ],
    [
      "a frame that is too large",
      onPath(image, (_, response) => !!response.writeHead(200, { "content-length": `${1 << 30}` }).end()),
      "longer than the",
    ],
    [
      "a frame that does not match its hash",
      (service) => {
        const layers = second(service).manifest.layers.map((layer) => {
          const imageUrl = `/mrms/events/squall/frames/${"ab".repeat(32)}.png`;
          service.frames.set(imageUrl, service.frames.get(layer.imageUrl)!);
          return { ...layer, imageUrl };
        });
        second(service).manifest = { ...second(service).manifest, layers };
      },
      "does not match its hash",
    ],
    [
      "a manifest that does not match its hash",
      (service) => {
        const layers = second(service).manifest.layers.map((layer) => {
          const frame = service.frames.get(layer.imageUrl)!;
          const imageUrl = `/mrms/events/squall/frames/${createHash("sha256").update(frame).digest("hex")}.png`;
          service.frames.set(imageUrl, frame);
          return { ...layer, imageUrl };
        });
        second(service).manifest = { ...second(service).manifest, layers };
        onPath(path, (_, response) => {
          response.setHeader("etag", `"${"ab".repeat(32)}"`);
          return false;
        })(service);
      },
      "A manifest does not match its hash",
    ],
    [
      "a frame of another origin",
      (service) => {
        const layers = second(service).manifest.layers.map((layer) => ({
          ...layer,
          imageUrl: `http://127.0.0.2:${service.port}${layer.imageUrl}`,
        }));
        second(service).manifest = { ...second(service).manifest, layers };
      },
      "leads to another server",
    ],
    [
      "a frame that does not exist",
      onPath(image, (_, response) => !!response.writeHead(404).end()),
      "Not found on the server",
    ],
    ["a server error", onPath(path, (_, response) => !!response.writeHead(500).end()), "status 500"],
  ];

  test.each(misdeeds)(
    "with %s: it is tried a limited number of times, logged once and skipped",
    async (...misdeed) => {
      const [, bend, cause] = misdeed;
      const service = await startForeign();
      service.addEvent({ id: "squall" });
      service.publish("squall", 0);
      service.publish("squall", 2);
      service.publish("squall", 4);
      bend(service);
      const follower = await follow(service.url, { ...pollOften, limits: hasty });
      await waitForSequences(follower, "squall", [1, 3]);
      const told = (await follower.catalog.listFeedLog({ limit: 1_000 })).filter(
        ({ kind }) => kind === "failed",
      );
      expect(told.map(({ sequence, message }) => [sequence, message])).toEqual([
        [2, expect.stringContaining(cause)],
      ]);
      expect(follower.said).toHaveLength(1);
      expect(service.asked.filter((asked) => asked === path)).toHaveLength(6);
      expect(follower.mirror.health()[0]).toMatchObject({ counts: { published: 2, failed: 1, gaps: 1 } });
      await expectSound(follower);
    },
  );
});

describe("a service whose history changes", () => {
  async function followTwo(): Promise<{ service: ForeignService; follower: Follower }> {
    const service = await startForeign();
    service.addEvent({ id: "squall" });
    service.publish("squall", 0);
    service.publish("squall", 2);
    const follower = await follow(service.url, pollOften);
    await waitForSequences(follower, "squall", [1, 2]);
    return { service, follower };
  }

  test("with a sequence that goes back: the local copy stays unchanged, and it is logged once", async () => {
    const { service, follower } = await followTwo();
    service.revisions.set("squall", []);
    service.publish("squall", 60, undefined, { revisionId: "other" });
    await waitFor(() => {
      expect(follower.said.some((line) => line.includes("went back from 2 to 1"))).toBe(true);
    });
    service.publish("squall", 62, undefined, { revisionId: "other-2" });
    service.publish("squall", 64, undefined, { revisionId: "other-3" });
    await waitFor(() => {
      expect(follower.said.some((line) => line.includes("replaced its revision 1"))).toBe(true);
    });
    expect(await sequencesOf(follower, "squall")).toEqual([1, 2]);
    expect(new Set(follower.said).size).toBe(follower.said.length);
    await expectSound(follower);
  });

  test("with other content of a published revision: the local copy stays, and new revisions are copied", async () => {
    const { service, follower } = await followTwo();
    const before = await follower.catalog.listRevisions("squall", 2);
    const [first] = service.revisions.get("squall")!;
    first!.manifest = {
      ...first!.manifest,
      layers: first!.manifest.layers.map((layer) => ({ ...layer, unit: "furlongs" })),
    };
    service.publish("squall", 4);
    await waitForSequences(follower, "squall", [1, 2, 3]);
    const after = await follower.catalog.listRevisions("squall", 3);
    expect(after.slice(0, 2).map(({ manifestSha256 }) => manifestSha256)).toEqual(
      before.map(({ manifestSha256 }) => manifestSha256),
    );
    expect(follower.said).toEqual([expect.stringContaining("changed a published revision")]);
    await expectSound(follower);
  });

  test.each([
    ["a list that is not JSON", "/v1/storm-events", "not json"],
    ["a list with another contract", "/v1/storm-events", '{"schemaVersion":2,"events":[]}'],
    ["revisions that are not JSON", "/v1/storm-events/squall/revisions", "not json"],
    ["revisions of another event", "/v1/storm-events/squall/revisions", "other"],
  ])(
    "with %s: it is logged once, and copying continues once it is valid again",
    async (_name, path, body) => {
      const { service, follower } = await followTwo();
      const other = JSON.stringify({
        schemaVersion: 1,
        mode: "live",
        attribution: "",
        disclosure: "",
        eventId: "other",
        frames: [],
        generatedAt: "2024-05-01T00:00:00Z",
      });
      service.bend = (request, response) =>
        request.url?.replace(/\?.*/, "") === path && !!response.end(body === "other" ? other : body);
      service.publish("squall", 4);
      const asked = service.asked.length;
      await waitFor(() => {
        expect(follower.said).toHaveLength(1);
        expect(service.asked.length).toBeGreaterThan(asked + 8);
      });
      expect(follower.said).toHaveLength(1);
      service.bend = () => false;
      await waitForSequences(follower, "squall", [1, 2, 3]);
    },
  );
});
