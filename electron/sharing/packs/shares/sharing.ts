// Sharing of packs: events of this desktop in repositories that it hosts, kept current, and events of others, got from theirs.
// Tokens pass through and are kept nowhere here.
import { AppError } from "../../../../shared/app-error.ts";
import {
  parseRemoteAddress,
  toPairingCode,
  type RemoteAddress,
} from "../../../../shared/packs/pairing-code.ts";
import { packOrigin, type Catalog, type EventRecord } from "../../../catalog/catalog.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import type { Effects } from "../../../platform/effects.ts";
import { exportEvent } from "../export-event.ts";
import { packDirectoryOf } from "../pack-layout.ts";
import type { PackOutcome, PackRecord, PackSharing, PackWorkOptions } from "../sharing-types.ts";
import { exportAndPush, fetchAndImport, fetchedDirectoryOf } from "./carry-pack.ts";
import { createHostedRepositories, inWords, type Hosting } from "./hosted-repository.ts";
import { readPackHead } from "./pack-head.ts";
import { rememberShares, rememberSources, type Share } from "./remembered.ts";
import { createKeyedMutex } from "../../../platform/locks/mutex.ts";
import { startUpkeep } from "./upkeep.ts";

export interface SharingOptions {
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  /** The data directory. */
  readonly directory: string;
  /** Undefined while hosting is off. */
  readonly hosting: () => Hosting | undefined;
  readonly effects: Effects;
}

/** More events than anybody lists. */
const listedEvents = 500;

export function createSharing(options: SharingOptions): PackSharing {
  const { catalog, frames, directory, hosting, effects } = options;
  const shares = rememberShares(directory);
  const sources = rememberSources(directory);
  const repositories = createHostedRepositories(effects.now);

  const requireHosting = (): Hosting => {
    const on = hosting();
    if (on) return on;
    throw new AppError("conflict", "Hosting is off on this desktop; switch it on to share packs.");
  };
  const requireShare = async (eventId: string): Promise<Share> => {
    const share = await shares.find(eventId);
    if (share) return share;
    throw new AppError("not-found", `The event ${eventId} is not shared.`);
  };
  const getEvent = async (eventId: string): Promise<EventRecord> => {
    const event = await catalog.findEvent(eventId);
    if (event) return event;
    throw new AppError("not-found", `There is no event ${eventId}.`);
  };
  const pushTo = (eventId: string, at: Target, work: PackWorkOptions): Promise<PackOutcome> =>
    exportAndPush({ ...at, ...work, eventId, directory, catalog, frames, effects });

  const pushShare = async (
    eventId: string,
    work: PackWorkOptions,
  ): Promise<{ readonly outcome: PackOutcome; readonly share: Share }> => {
    const { label } = await getEvent(eventId);
    try {
      const target = await repositories.open(requireHosting(), eventId, label);
      const outcome = await pushTo(eventId, target, work);
      const { sequence } = await readPackHead(packDirectoryOf(directory, eventId));
      const lastPushedAt = effects.now().toISOString();
      return { outcome, share: { eventId, lastPushedAt, pushedSequence: sequence ?? 0 } };
    } catch (error) {
      repositories.forget(eventId);
      throw error;
    }
  };

  /** Of the pushes of upkeep that are under way. */
  const endings = new Map<string, AbortController>();
  const oneByOne = createKeyedMutex();

  const upkeep = startUpkeep({
    effects,
    async listStates() {
      if (!hosting()) return [];
      const events = await Promise.all(
        (await shares.list()).map(({ eventId }) => catalog.findEvent(eventId)),
      );
      return events
        .filter((event) => event !== undefined)
        .map(({ id, latestSequence, updatedAt }) => ({
          eventId: id,
          state: `${latestSequence} ${updatedAt}`,
        }));
    },
    async bringUpToDate(eventId, signal) {
      const ending = new AbortController();
      await oneByOne(eventId, async () => {
        if (!(await shares.find(eventId))) return;
        endings.set(eventId, ending);
        try {
          const both = AbortSignal.any([signal, ending.signal]);
          await shares.put((await pushShare(eventId, { signal: both })).share);
        } catch (error) {
          // Whoever ends the sharing does not wait for a copy that nobody wants any more.
          if (!ending.signal.aborted) throw error;
        } finally {
          endings.delete(eventId);
        }
      });
    },
  });
  const stopListening = catalog.onChange(() => {
    upkeep.wake();
  });

  const getFrom = async (
    address: RemoteAddress,
    token: string | undefined,
    work: PackWorkOptions,
  ): Promise<PackOutcome> => {
    const outcome = await fetchAndImport({ ...work, address, token, directory, catalog, frames, effects });
    await sources.put({
      eventId: outcome.event,
      address: toPairingCode(address),
      lastGotAt: effects.now().toISOString(),
    });
    return outcome;
  };

  return {
    share(eventId, work) {
      return oneByOne(eventId, async () => {
        requireHosting();
        const known = await shares.find(eventId);
        const { outcome, share } = await pushShare(eventId, work).catch(async (error: unknown) => {
          // A first share that was refused is none; one that was interrupted is taken up when it is asked for again.
          if (!known) await shares.remove(eventId);
          throw error;
        });
        await shares.put(share);
        upkeep.forget(eventId);
        upkeep.wake();
        return outcome;
      });
    },
    unshare(eventId) {
      endings.get(eventId)?.abort(new AppError("conflict", "The sharing was ended."));
      return oneByOne(eventId, async () => {
        await requireShare(eventId);
        const { namespace } = requireHosting();
        await shares.remove(eventId);
        upkeep.forget(eventId);
        repositories.forget(eventId);
        await inWords(() => namespace.delete(eventId));
      });
    },
    async invite(eventId, ttlSeconds) {
      await requireShare(eventId);
      const { namespace, toLanAddress, toLocalRemote } = requireHosting();
      const { plaintext, expiresAt } = await inWords(async () =>
        (await namespace.get(eventId)).createToken("read", ttlSeconds),
      );
      const lan = toLanAddress(eventId);
      return { address: lan ? toPairingCode(lan) : toLocalRemote(eventId), token: plaintext, expiresAt };
    },
    get: async ({ address, token }, work) => getFrom(parseRemoteAddress(address), token, work),
    async getAgain(eventId, token, work) {
      const source = await sources.find(eventId);
      if (!source) throw new AppError("not-found", `The event ${eventId} was not got from anywhere.`);
      return getFrom(parseRemoteAddress(source.address), token, work);
    },
    push: async (eventId, { address, token }, work) =>
      pushTo(eventId, { address: parseRemoteAddress(address), token }, work),
    export: (eventId, work) =>
      exportEvent({ ...work, catalog, frames, eventId, directory: packDirectoryOf(directory, eventId) }),
    async list() {
      const events = (await catalog.listEvents(listedEvents)).filter(
        ({ latestSequence }) => latestSequence > 0,
      );
      return Promise.all(events.map(listOne));
    },
    wake: () => {
      upkeep.wake();
    },
    async close() {
      stopListening();
      await upkeep.close();
    },
  };

  async function listOne({ id, label, latestSequence, mirrorOf }: EventRecord): Promise<PackRecord> {
    const [share, source] = await Promise.all([shares.find(id), sources.find(id)]);
    const fetched = source && fetchedDirectoryOf(directory, parseRemoteAddress(source.address));
    const head = await readPackHead(fetched ?? packDirectoryOf(directory, id));
    const on = hosting();
    return {
      eventId: id,
      label,
      origin: mirrorOf?.startsWith(packOrigin) === true ? "got" : "own",
      latestSequence,
      exportedSequence: head.sequence ?? null,
      commit: head.commit ?? null,
      shared: share
        ? {
            remote: on ? shownRemote(on, id) : "",
            lastPushedAt: share.lastPushedAt,
            pending: Math.max(0, latestSequence - share.pushedSequence),
            problem: on ? (upkeep.problemOf(id) ?? null) : "Hosting is off.",
          }
        : null,
      gotFrom: source ? { address: source.address, lastGotAt: source.lastGotAt } : null,
    };
  }
}

interface Target {
  readonly address: RemoteAddress;
  readonly token: string | undefined;
}

function shownRemote({ toLanAddress, toLocalRemote }: Hosting, name: string): string {
  return toLanAddress(name)?.url ?? toLocalRemote(name);
}
