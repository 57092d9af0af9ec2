// A crowd at a public service behind a shared cache: the viewer's own sessions, on a clock that the test moves.
import { Agent, get } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { vi } from "vitest";
import { createStormClient } from "../../renderer/api/client.ts";
import { startSession, type ViewerSession } from "../../renderer/state/reading/session.ts";
import { createViewerStore, type ViewerStore } from "../../renderer/state/store.ts";
import type { SharedCache } from "./shared-cache.ts";

export interface Crowd {
  /** Requests that the viewers sent. */
  readonly requests: () => number;
  /** Newest sequence that each viewer holds. */
  readonly held: () => readonly (number | undefined)[];
  /** Passes time, a second after the other, and waits for the answers of each. */
  readonly pass: (seconds: number) => Promise<void>;
  readonly close: () => void;
}

/** Viewers come one after the other over this time. */
const arrivalSeconds = 30;

/** Fake timers must be in use. */
export function gatherCrowd(cache: SharedCache, size: number): Crowd {
  const random = createRandom(size);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  let requests = 0;
  let running = 0;
  let seconds = 0;
  const fetchThere = async (
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    requests += 1;
    running += 1;
    try {
      return await readResponse(cache.origin + path, headers, agent);
    } finally {
      running -= 1;
    }
  };
  const stores: ViewerStore[] = [];
  const sessions: ViewerSession[] = [];
  const arrive = (): void => {
    const store = createViewerStore();
    stores.push(store);
    sessions.push(startSession(toParts(store, random, fetchThere)));
    readFrames(store, fetchThere);
  };
  for (let index = 0; index < size; index += 1) setTimeout(arrive, random() * arrivalSeconds * 1000);
  return {
    requests: () => requests,
    held: () => stores.map((store) => store.getState().history.all.at(-1)?.sequence),
    async pass(count) {
      for (let step = 0; step < count; step += 1) {
        seconds += 1;
        cache.setSeconds(seconds);
        await vi.advanceTimersByTimeAsync(1_000);
        while (running > 0) await nextTurn();
        await nextTurn();
      }
    },
    close: () => {
      for (const session of sessions) session.close();
      agent.destroy();
    },
  };
}

type FetchThere = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;

function toParts(store: ViewerStore, random: () => number, fetchThere: FetchThere) {
  const fetch = (path: unknown, init?: RequestInit) =>
    fetchThere(path as string, init?.headers as Record<string, string>);
  return {
    store,
    client: createStormClient({ fetch }),
    effects: {
      openSocket: () => {
        throw new Error("A public service has no stream.");
      },
      now: () => Date.now(),
      random,
      isPublic: true,
      isVisible: () => true,
      onReturn: () => () => undefined,
    },
  };
}

/** Reads the frames of the newest revision, as the map does. */
function readFrames(store: ViewerStore, fetchThere: FetchThere): void {
  const read = new Set<string>();
  store.subscribe(({ history }) => {
    for (const { imageUrl } of history.all.at(-1)?.layers ?? []) {
      if (read.has(imageUrl)) continue;
      read.add(imageUrl);
      void fetchThere(imageUrl);
    }
  });
}

function readResponse(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const status = response.statusCode!;
        const etag = response.headers.etag;
        const body = status === 304 ? null : Buffer.concat(chunks);
        resolve(new Response(body, { status, headers: etag === undefined ? {} : { etag } }));
      });
    }).on("error", reject);
  });
}

/** Returns uniform numbers from a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
