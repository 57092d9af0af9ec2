// Invalid and malicious answers of a service: each gives a typed error or a valid pack, never a partial one.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, request as requestHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAppError } from "../../../../shared/app-error.ts";
import { fetchPack } from "./fetch-pack.ts";
import { git, hasGit, startGitService, type GitService } from "../support/git-service.ts";
import { writeSamplePack } from "../support/sample-pack.ts";

let folder: string;
let service: GitService | undefined;
let main: string;

beforeAll(async () => {
  if (!hasGit) return;
  folder = mkdtempSync(join(tmpdir(), "echotop-hostile-"));
  main = writeSamplePack({
    gitdir: join(folder, "root/storm.git"),
    revisions: 3,
    frameBytes: 300,
    tags: false,
  });
  service = await startGitService({ root: join(folder, "root") });
});
afterAll(async () => {
  await service?.close();
  if (folder) rmSync(folder, { recursive: true });
});

interface Answer {
  readonly type: string;
  readonly body: Buffer;
}

/** Returns Git's own answer. */
function ask(method: string, path: string, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = requestHttp(
      `${service!.origin}${path}`,
      { method, headers: { "content-type": "application/x-git-upload-pack-request" } },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.on("end", () => {
          resolve({ type: answer.headers["content-type"] ?? "", body: Buffer.concat(pieces) });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Starts a proxy that changes answers. `which` is the GET's or the POST's. */
async function startBetween(
  which: string,
  change: (body: Buffer) => Buffer,
): Promise<{ origin: string; close(): void }> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      void ask(request.method!, request.url!, Buffer.concat(pieces)).then(({ type, body }) => {
        response.writeHead(200, { "content-type": type });
        response.end(request.method === which ? change(body) : body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  kind: fc.constantFrom("flip", "cut", "drop", "repeat", "insert"),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
});

function mutate(body: Buffer, { at, kind, bytes }: { at: number; kind: string; bytes: Uint8Array }): Buffer {
  const place = Math.floor(at * body.length);
  const head = body.subarray(0, place);
  switch (kind) {
    case "flip":
      return Buffer.concat([head, Buffer.from([body[place]! ^ bytes[0]!]), body.subarray(place + 1)]);
    case "cut":
      return head;
    case "drop":
      return Buffer.concat([head, body.subarray(place + bytes.length)]);
    case "repeat":
      return Buffer.concat([head, body.subarray(Math.max(0, place - 40))]);
    default:
      return Buffer.concat([head, bytes, body.subarray(place)]);
  }
}

test.skipIf(!hasGit).each(["GET", "POST"])(
  "the pack stays valid for any change to the answer to %s",
  async (which) => {
    let runs = 0;
    let refusals = 0;
    const property = fc.asyncProperty(
      fc.array(mutation, { minLength: 1, maxLength: 2 }),
      async (mutations) => {
        const gitdir = join(folder, `here-${which}-${runs++}.git`);
        const transfer = (origin: string) =>
          fetchPack({
            address: { url: `${origin}/storm.git`, certificateSha256: undefined },
            token: undefined,
            gitdir,
            effects: { random: () => 0, sleep: () => Promise.resolve() },
            signal: AbortSignal.timeout(20_000),
          });
        const between = await startBetween(which, (body) => mutations.reduce(mutate, body));
        try {
          await transfer(between.origin).catch((error: unknown) => {
            refusals++;
            if (!isAppError(error)) throw error;
          });
        } finally {
          between.close();
        }
        // Leftovers of the failed fetch must not block an honest one.
        expect((await transfer(service!.origin)).commit).toBe(main);
        if (runs % 20 === 0) git(gitdir, ["fsck", "--full", "--strict"]);
        expect(existsSync(join(gitdir, "refs/heads/main"))).toBe(true);
      },
    );
    await fc.assert(property, { seed: 4, numRuns: 20, endOnFailure: true });
    expect(refusals).toBeGreaterThan(12);
  },
  120_000,
);
