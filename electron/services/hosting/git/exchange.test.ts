import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { writeAheadBytes } from "../hosting-limits.ts";
import { sendOutput, type Exchange } from "./exchange.ts";
import type { GitProcess } from "./git-runner.ts";

/** Returns an exchange whose client reads nothing. */
function makeStalledExchange(): Exchange {
  const response = Object.assign(new Writable({ highWaterMark: 1, write: () => undefined }), {
    writeHead: () => undefined,
  });
  return {
    request: {} as IncomingMessage,
    response: response as unknown as ServerResponse,
    route: { namespace: "events", name: "ev-a", service: "git-upload-pack", step: "advertise" },
    access: {} as Exchange["access"],
    directory: "/nowhere",
    signal: new AbortController().signal,
  };
}

function makeProcess(pieces: readonly Buffer[]): GitProcess {
  const stdin = new Writable({ write: () => undefined });
  const ended = Promise.resolve({ status: 0, signal: null, stderr: "" });
  return { stdin, stdout: Readable.from(pieces), ended, kill: () => undefined };
}

const makePieces = (byteLength: number): readonly Buffer[] =>
  Array.from({ length: byteLength / 8192 }, () => Buffer.alloc(8192, 1));

const filter = { read: (piece: Buffer) => [piece], end: () => Buffer.alloc(0) };

test("a short answer is taken from Git before its client reads it", async () => {
  const pieces = makePieces(writeAheadBytes / 2);
  await sendOutput(makeStalledExchange(), makeProcess(pieces), { filter });
});

test("a long answer is given up if its client reads nothing while others wait", async () => {
  const pieces = makePieces(writeAheadBytes * 2);
  const pace = { isWanted: () => true, patienceMs: 10 };
  await expect(
    sendOutput(makeStalledExchange(), makeProcess(pieces), { filter, pace }),
  ).rejects.toMatchObject({
    status: 408,
  });
});
