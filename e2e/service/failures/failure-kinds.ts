// The failures that a service must survive. Each happens at a random moment of a round of publications, and is over
// when its function resolves.
import { openDatabase } from "../../../electron/platform/postgres/database.ts";
import type { Random } from "../../../electron/pipeline/demo/random.ts";
import type { Fault } from "../../../electron/support/engines/fault-proxy.ts";
import type { RelayedConnection } from "../../../electron/support/engines/relay.ts";
import { isAppError } from "../../../shared/app-error.ts";
import { clockLibrary } from "../shared-cache.ts";
import type { HostSlot, TrialService } from "./trial-service.ts";
import { until, type TrialWitness } from "./trial-witness.ts";
import type { TrialWork } from "./trial-work.ts";

export interface Scene {
  readonly service: TrialService;
  readonly work: TrialWork;
  readonly witness: TrialWitness;
  readonly random: Random;
}

export interface FailureKind {
  readonly name: string;
  /** Points of 200. */
  readonly share: number;
  /** True if the short form has it: it needs seconds, one database server and a folder of objects. */
  readonly isSmall: boolean;
  /** Returns faults that only it can see. */
  readonly happen: (scene: Scene) => Promise<readonly string[]>;
}

/** Longest delay from a commit to a notice although LISTEN is dead. */
const noticeMs = 1_000;
const hourSeconds = 3_600;

const kind = (
  name: string,
  share: number,
  happen: FailureKind["happen"],
  { isSmall }: { readonly isSmall: boolean } = { isSmall: true },
): FailureKind => ({ name, share, happen, isSmall });
const large = { isSmall: false };

export const failureKinds: readonly FailureKind[] = [
  kind("kill -9 of a reader", 20, killReader),
  kind("kill -9 of the leading feed", 12, killFeed, large),
  kind("a feed stopped past its lease, and resumed", 8, stopFeed, large),
  kind("kill -9 of a worker", 12, killWorker, large),
  kind("kill -9 of PostgreSQL", 36, killPostgres),
  kind("a failover, and the old primary comes back", 6, failOver, large),
  kind("an answer to COMMIT is lost", 24, loseCommits),
  kind("a LISTEN connection is silently dead", 10, silenceListeners),
  kind("kill -9 of the store's OSD", 12, killStorePart("osd"), large),
  kind("kill -9 of the store's gateway", 12, killStorePart("rgw"), large),
  kind("the store answers 500", 9, breakRequests([500]), large),
  kind("the store answers 503", 9, breakRequests([503]), large),
  kind("the store's answer is cut or missing", 9, breakRequests(["cut", "silent"]), large),
  kind("the store says 200 and has nothing", 9, breakRequests(["lie"]), large),
  kind("a clock is an hour off", 12, shiftClock, large),
];

const nothing: readonly string[] = [];

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** Waits for a random moment of the round: a number of acknowledged publications, and some milliseconds. */
async function moment({ work, random }: Scene): Promise<void> {
  const enough = work.acknowledged.length + Math.floor(random() * 9);
  await until(() => work.acknowledged.length >= enough, "acknowledgement");
  await pause(random() * 30);
}

/** Places a failure within the milliseconds of a publication. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function killReader(scene: Scene): Promise<readonly string[]> {
  const slot = pick(scene.random, scene.service.readers);
  await moment(scene);
  await slot.kill();
  await slot.start();
  return nothing;
}

async function whenLed({ service }: Scene): Promise<{ readonly leader: HostSlot; readonly other: HostSlot }> {
  let leader: HostSlot | undefined;
  await until(async () => (leader = await service.findLeader()) !== undefined, "feed that leads");
  return { leader: leader!, other: service.feeds.find((feed) => feed !== leader)! };
}

async function killFeed(scene: Scene): Promise<readonly string[]> {
  const { leader } = await whenLed(scene);
  await moment(scene);
  await leader.kill();
  await leader.start();
  await whenLed(scene);
  return nothing;
}

async function stopFeed(scene: Scene): Promise<readonly string[]> {
  const { leader, other } = await whenLed(scene);
  await moment(scene);
  leader.signal("SIGSTOP");
  scene.work.writeFile();
  await until(() => other.isFeeding(), "feed that takes over");
  leader.signal("SIGCONT");
  await until(async () => !(await leader.isFeeding()), "end of the resumed feed");
  return nothing;
}

async function killWorker({ service, work, random }: Scene): Promise<readonly string[]> {
  const eventId = await work.queueArchive();
  const listed = async (): Promise<readonly { observed_at: string }[]> =>
    service.query<{ observed_at: string }>(
      `SELECT observed_at FROM revisions WHERE event_id = '${eventId}' ORDER BY sequence`,
    );
  const least = Math.floor(random() * 8);
  await until(async () => (await listed()).length >= least, "window of an archive");
  await pause(random() * 100);
  const killed = random() < 0.5 ? service.workers : [pick(random, service.workers)];
  await Promise.all(killed.map((slot) => slot.kill()));
  await Promise.all(killed.map((slot) => slot.start()));
  await until(async () => (await listed()).length >= work.expected.get(eventId)!, "whole archive");
  const instants = (await listed()).map(({ observed_at }) => Number(observed_at));
  const isInOrder = instants.every((instant, index) => index === 0 || instant > instants[index - 1]!);
  return isInOrder ? nothing : [`${eventId} was not published in order of observation`];
}

async function killPostgres(scene: Scene): Promise<readonly string[]> {
  const { pair, primary } = scene.service;
  const server = pair && scene.random() < 0.25 ? pair.standby : primary;
  await moment(scene);
  await server.kill();
  await server.start();
  return nothing;
}

async function failOver(scene: Scene): Promise<readonly string[]> {
  const { service, work, random } = scene;
  const pair = service.pair!;
  const old = pair.primary;
  await moment(scene);
  // An old primary that lives on loses its standby, and so its word.
  const isAlive = random() < 0.5;
  if (!isAlive) await old.kill();
  await pair.promote();
  for (const eventId of work.eventIds.slice(1)) await work.publishOne(eventId);
  if (!isAlive) await old.start();
  const faults = await tryAlone(service.urlOf(old));
  await old.stop();
  await pair.rejoin();
  return faults;
}

/** Returns a fault if a server that lost its standby confirms a change. */
async function tryAlone(url: string): Promise<readonly string[]> {
  const database = await openDatabase({ url, patienceMs: { commit: 1_000 } });
  try {
    await database.transact("durable", ({ query }) =>
      query("UPDATE events SET label = 'lost' WHERE id = 'live'"),
    );
    return ["an old primary has confirmed a change alone"];
  } catch (error) {
    // Its commits wait for a standby, and others wait for their locks.
    if (!isAppError(error)) throw error;
    return nothing;
  } finally {
    await database.close();
  }
}

async function loseCommits({ service, random }: Scene): Promise<readonly string[]> {
  const wanted = 1 + Math.floor(random() * 3);
  let before = Math.floor(random() * 6);
  let cuts = 0;
  service.watch((bytes, connection) => {
    if (cuts === wanted || !bytes.includes("COMMIT") || before-- > 0) return true;
    cuts += 1;
    setImmediate(connection.cut);
    // The question is lost instead of its answer, sometimes.
    return random() < 0.75;
  });
  try {
    await until(() => cuts === wanted, "commit to cut");
  } finally {
    service.watch(undefined);
  }
  return nothing;
}

async function silenceListeners(scene: Scene): Promise<readonly string[]> {
  const { service, work, witness, random } = scene;
  const eventId = work.eventIds[1]!;
  await moment(scene);
  const silenced: RelayedConnection[] = [...service.listening];
  if (silenced.length < service.readers.length) return ["a reader does not listen"];
  service.listening.clear();
  for (const connection of silenced) connection.fallSilent();
  await pause(random() * 1_000);
  await work.publishOne(eventId);
  const publishedMs = performance.now();
  const { sequence } = work.acknowledged.findLast((revision) => revision.eventId === eventId)!;
  const delayMs = Math.round((await witness.whenHeard(eventId, sequence)) - publishedMs);
  return delayMs > noticeMs ? [`a notice came ${delayMs} ms after its commit`] : nothing;
}

function killStorePart(part: "osd" | "rgw"): FailureKind["happen"] {
  return async (scene) => {
    const { server } = scene.service.bucket!;
    await moment(scene);
    await server.kill(part);
    await server.restart(part);
    return nothing;
  };
}

function breakRequests(faults: readonly Fault[]): FailureKind["happen"] {
  return async ({ service, random }) => {
    const { proxy } = service.bucket!;
    const wanted = 1 + Math.floor(random() * 6);
    let before = Math.floor(random() * 10);
    let broken = 0;
    proxy.choose = (method) => {
      const isChosen = broken < wanted && (!faults.includes("lie") || method === "PUT") && before-- <= 0;
      if (!isChosen) return undefined;
      broken += 1;
      return pick(random, faults);
    };
    try {
      await until(() => broken === wanted, "request to break");
    } finally {
      proxy.choose = () => undefined;
    }
    return nothing;
  };
}

/** Lets a reader, or the leading feed, run for a round on a clock that is an hour off. */
async function shiftClock(scene: Scene): Promise<readonly string[]> {
  const { service, work, random } = scene;
  const clock = {
    LD_PRELOAD: clockLibrary,
    FAKETIME: `${random() < 0.5 ? "-" : "+"}${hourSeconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  const isReader = random() < 0.5;
  const { leader, other } = await whenLed(scene);
  const slot = isReader ? pick(random, service.readers) : other;
  await slot.kill();
  await slot.start(clock);
  if (!isReader) {
    await leader.stop();
    await until(() => other.isFeeding(), "feed on a clock of its own");
    await leader.start();
  }
  work.writeFile();
  for (const eventId of work.eventIds.slice(1)) await work.publishOne(eventId);
  const faults = await scene.witness.check();
  await slot.stop();
  await slot.start();
  return [...faults, ...(await findWrongTimes(service))];
}

/** Returns a fault for each publication time that is not the database's. */
async function findWrongTimes(service: TrialService): Promise<readonly string[]> {
  const rows = await service.query<{ revision_id: string }>(`SELECT revision_id FROM revisions
    WHERE published_at NOT BETWEEN catalog_clock() - 3000000 AND catalog_clock()`);
  return rows.map(({ revision_id }) => `${revision_id} has the publication time of another clock`);
}
