// Implements pack sharing: packs of this computer's events in the repositories it hosts, kept current, and packs
// fetched from others. Tokens pass through and are not stored here.
import { AppError } from "../../../../shared/app-error.ts";
import { parseRemoteAddress, toPairingCode } from "../../../../shared/packs/pairing-code.ts";
import { packOrigin, type Catalog, type EventRecord } from "../../../catalog/catalog.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import type { Effects } from "../../../platform/effects.ts";
import { createKeyedMutex } from "../../../platform/locks/mutex.ts";
import { exportEvent } from "../export-event.ts";
import { packDirectoryOf } from "../pack-layout.ts";
import type { PackOutcome, PackRecord, PackSharing, PackWorkOptions } from "../sharing-types.ts";
import { exportAndPush, exportAndPushTo, fetchAndImport, fetchedDirectoryOf } from "./carry-pack.ts";
import { openHosted, toAppErrors, toPushRemote, type Hosting } from "./hosted-repository.ts";
import { readPackHead } from "./pack-head.ts";
import { rememberShares, rememberSources, type Share } from "./remembered.ts";
import { startUpkeep } from "./upkeep.ts";

export interface SharingOptions {
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  /** The data directory. */
  readonly directory: string;
  /** Returns undefined while hosting is off. */
  readonly hosting: () => Hosting | undefined;
  readonly effects: Effects;
}

/** The most events in the list of packs. */
const listedEvents = 500;

export function createSharing(options: SharingOptions): PackSharing {
  const { catalog, frames, directory, hosting, effects } = options;
  const shares = rememberShares(directory);
  const sources = rememberSources(directory);

  const requireHosting = (): Hosting => {
    const on = hosting();
    if (on) return on;
    throw new AppError("conflict", "Hosting is off on this computer; switch it on to share packs.");
  };
  const requireShare = async (eventId: string): Promise<Share> => {
    const share = await shares.find(eventId);
    if (share) return share;
    throw new AppError("not-found", `The event ${eventId} is not shared.`);
  };

  const pushShare = async (
    eventId: string,
    work: PackWorkOptions,
  ): Promise<{ readonly outcome: PackOutcome; readonly share: Share }> => {
    const event = await catalog.findEvent(eventId);
    if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
    const remote = toPushRemote(await openHosted(requireHosting(), event), work.signal);
    const outcome = await exportAndPushTo(remote, { ...work, eventId, directory, catalog, frames, effects });
    const { sequence = 0 } = await readPackHead(packDirectoryOf(directory, eventId));
    const lastPushedAt = effects.now().toISOString();
    return { outcome, share: { eventId, lastPushedAt, pushedSequence: sequence } };
  };

  /** Aborts the upkeep's running push of an event. */
  const endings = new Map<string, AbortController>();
  const oneByOne = createKeyedMutex();

  const upkeep = startUpkeep({
    effects,
    async listStates() {
      if (!hosting()) return [];
      const listed = await shares.list();
      const states = await Promise.all(
        listed.map(async ({ eventId }) => {
          const event = await catalog.findEvent(eventId);
          const steps = await catalog.findSteps(eventId);
          const overlays = (await catalog.listKeptOverlays(eventId)).map(({ sha256 }) => sha256).join(" ");
          const facts = [event?.latestSequence, event?.updatedAt, steps?.version, overlays];
          return event && { eventId, state: facts.join(" ") };
        }),
      );
      return states.filter((state) => state !== undefined);
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
          // `unshare` has aborted the push: its failure does not matter.
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
    code: string,
    token: string | undefined,
    work: PackWorkOptions,
  ): Promise<PackOutcome> => {
    const address = parseRemoteAddress(code);
    const outcome = await fetchAndImport({ ...work, address, token, directory, catalog, frames, effects });
    await sources.put({
      eventId: outcome.event,
      address: toPairingCode(address),
      lastGotAt: effects.now().toISOString(),
    });
    return outcome;
  };

  async function toRecord({ id, label, latestSequence, mirrorOf }: EventRecord): Promise<PackRecord> {
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
            remote: on ? (on.toLanAddress(id)?.url ?? on.toLocalRemote(id)) : "",
            lastPushedAt: share.lastPushedAt,
            pending: Math.max(0, latestSequence - share.pushedSequence),
            problem: on ? (upkeep.problemOf(id) ?? null) : "Hosting is off.",
          }
        : null,
      gotFrom: source ? { address: source.address, lastGotAt: source.lastGotAt } : null,
    };
  }

  return {
    share: (eventId, work) =>
      oneByOne(eventId, async () => {
        requireHosting();
        const known = await shares.find(eventId);
        const { outcome, share } = await pushShare(eventId, work).catch(async (error: unknown) => {
          // A first share that fails is forgotten; the next `share` resumes it.
          if (!known) await shares.remove(eventId);
          throw error;
        });
        await shares.put(share);
        upkeep.forget(eventId);
        upkeep.wake();
        return outcome;
      }),
    unshare(eventId) {
      endings.get(eventId)?.abort(new AppError("conflict", "The sharing was ended."));
      return oneByOne(eventId, async () => {
        await requireShare(eventId);
        const { namespace } = requireHosting();
        await shares.remove(eventId);
        upkeep.forget(eventId);
        await toAppErrors(() => namespace.delete(eventId));
      });
    },
    async invite(eventId, ttlSeconds) {
      await requireShare(eventId);
      const { namespace, toLanAddress, toLocalRemote } = requireHosting();
      const { plaintext, expiresAt } = await toAppErrors(async () =>
        (await namespace.get(eventId)).createToken("read", ttlSeconds),
      );
      const lan = toLanAddress(eventId);
      return { address: lan ? toPairingCode(lan) : toLocalRemote(eventId), token: plaintext, expiresAt };
    },
    get: ({ address, token }, work) => getFrom(address, token, work),
    async getAgain(eventId, token, work) {
      const source = await sources.find(eventId);
      if (!source) throw new AppError("not-found", `The event ${eventId} was not fetched from anywhere.`);
      return getFrom(source.address, token, work);
    },
    push: async (eventId, { address, token }, work) =>
      exportAndPush({
        ...{ ...work, address: parseRemoteAddress(address), token },
        ...{ eventId, directory, catalog, frames, effects },
      }),
    export: (eventId, work) =>
      exportEvent({ ...work, catalog, frames, eventId, directory: packDirectoryOf(directory, eventId) }),
    async list() {
      const events = await catalog.listEvents(listedEvents);
      return Promise.all(events.filter(({ latestSequence }) => latestSequence > 0).map(toRecord));
    },
    wake: () => {
      upkeep.wake();
    },
    async close() {
      stopListening();
      await upkeep.close();
    },
  };
}
