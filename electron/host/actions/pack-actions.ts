// Actions on event packs, hosting and sharing with other computers. A token is held only during its call and by the
// secret keeper; no message, task or log holds it.
import { AppError } from "../../../shared/app-error.ts";
import type { PackActionName } from "../../../shared/contract/action-names.ts";
import type { ActionHandlers } from "../../../shared/contract/actions.ts";
import { packVersionLimit, type PackList } from "../../../shared/contract/packs.ts";
import { parseRemoteAddress } from "../../../shared/packs/pairing-code.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import type { PackOutcome, PackSharing, PackWorkOptions } from "../../sharing/packs/sharing-types.ts";
import type { SecretKeeper } from "../config/secrets.ts";
import type { HostingSwitch } from "../start/hosting-switch.ts";
import { compareVersions, toVersion } from "./compare-versions.ts";
import { getEvent, getPublishedEvent, type EventLookup } from "./find-event.ts";
import { hideToken } from "./hide-token.ts";
import { toOneScale } from "./pack-progress.ts";
import { createPackTokens, type PackTokens } from "./pack-tokens.ts";
import type { TaskBoard, TaskDraft, TaskReport } from "./task-board.ts";

export interface PackActionParts {
  readonly board: TaskBoard;
  readonly secrets: SecretKeeper;
  readonly now: () => Date;
  readonly catalog: EventLookup & Pick<CatalogReader, "listRevisions">;
  readonly hosting: Pick<HostingSwitch, "read" | "readLan" | "switchHosting" | "switchLan">;
  readonly sharing: Omit<PackSharing, "wake" | "close">;
}

/** Most revisions that a comparison reads: a week of two-minute windows, each in four revisions. */
const mostCompared = 20_160;

export function createPackActions(parts: PackActionParts): ActionHandlers<PackActionName> {
  const { board, catalog, hosting, sharing } = parts;
  const tokens = createPackTokens(parts.secrets, parts.now);
  return {
    "packs.list": () => listPacks(parts, tokens),
    "packs.versions": async ({ eventId }) => {
      await getEvent(catalog, eventId);
      return { versions: (await catalog.listRevisions(eventId, packVersionLimit)).map(toVersion) };
    },
    "packs.compare": async (input) => {
      await getEvent(catalog, input.eventId);
      return compareVersions(await catalog.listRevisions(input.eventId, mostCompared), input);
    },
    "packs.share": ({ eventId }) =>
      startWriting(parts, "pack-share", eventId, (work) => sharing.share(eventId, work)),
    "packs.unshare": async ({ eventId }) => {
      if (board.isBusy(eventId, "pack"))
        throw new AppError("conflict", "A task is working on this pack; stop it before you stop sharing.");
      await sharing.unshare(eventId);
      return { eventId };
    },
    "packs.invite": ({ eventId, ttlSeconds }) => sharing.invite(eventId, ttlSeconds),
    "packs.get": async ({ address, token }) => {
      parseRemoteAddress(address);
      const run = async (work: PackWorkOptions): Promise<string> => {
        const outcome = await hideToken(token, sharing.get({ address, token }, work));
        const isStored = token === undefined || (await tokens.keep(outcome.event, token));
        const hint = " The token could not be stored; getting the pack again will ask for one.";
        return `${toGotWords(outcome)}${isStored ? "" : hint}`;
      };
      return startTask(board, { kind: "pack-get", eventId: null, message: "Asking the remote." }, run);
    },
    "packs.getAgain": async ({ eventId }) => {
      const { label } = await getEvent(catalog, eventId);
      const token = await tokens.find(eventId);
      const message = `Asking the remote for news of ${label}.`;
      return startTask(board, { kind: "pack-get", eventId, message }, async (work) => {
        return toGotWords(await hideToken(token, sharing.getAgain(eventId, token, work)));
      });
    },
    "packs.forgetToken": async ({ eventId }) => {
      await tokens.forget(eventId);
      return { eventId };
    },
    "packs.push": async ({ eventId, address, token }) => {
      parseRemoteAddress(address);
      return startWriting(parts, "pack-push", eventId, (work) =>
        hideToken(token, sharing.push(eventId, { address, token }, work)),
      );
    },
    "packs.export": ({ eventId }) =>
      startWriting(parts, "pack-export", eventId, (work) => sharing.export(eventId, work)),
    "hosting.switch": ({ on }) => hosting.switchHosting(on),
    "lan.switch": ({ on }) => hosting.switchLan(on),
  };
}

async function listPacks(
  { hosting, secrets, sharing }: PackActionParts,
  tokens: PackTokens,
): Promise<PackList> {
  const [state, records] = await Promise.all([hosting.read(), sharing.list()]);
  const packs = await Promise.all(
    records.map(async (record) => {
      const { gotFrom, eventId } = record;
      return { ...record, gotFrom: gotFrom && { ...gotFrom, hasToken: await tokens.has(eventId) } };
    }),
  );
  return { hosting: state, lan: hosting.readLan(), tokens: secrets.kind, packs };
}

type PackTaskKind = "pack-share" | "pack-push" | "pack-export" | "pack-get";

/** Stages of the work, each of which counts from 0: write and send, or receive and publish. */
const stages = { "pack-share": 2, "pack-push": 2, "pack-export": 1, "pack-get": 2 } as const;

const beginnings = {
  "pack-share": "Writing the pack of",
  "pack-push": "Comparing with the remote:",
  "pack-export": "Writing the pack of",
} as const;

const endings: Readonly<Record<PackTaskKind, Readonly<Record<PackOutcome["status"], string>>>> = {
  "pack-share": {
    complete: "The event is shared; invite somebody to get it.",
    "up to date": "The shared copy has everything.",
  },
  "pack-push": {
    complete: "The remote has everything.",
    "up to date": "The remote had everything already.",
  },
  "pack-export": { complete: "The pack is written.", "up to date": "The pack had everything already." },
  "pack-get": { complete: "The whole pack is here.", "up to date": "Nothing is new since the last time." },
};

function toGotWords({ status, steps, overlays }: PackOutcome): string {
  const keptSteps = " The steps of its briefing here differ from the pack's, and were kept.";
  const keptOverlays = " Overlays of the event here differ from the pack's, and were kept.";
  return `${endings["pack-get"][status]}${steps === "kept" ? keptSteps : ""}${overlays === "kept" ? keptOverlays : ""}`;
}

/** Starts a task that writes an event's pack, here or on a remote, and nothing of the event itself. */
async function startWriting(
  { board, catalog }: PackActionParts,
  kind: keyof typeof beginnings,
  eventId: string,
  run: (work: PackWorkOptions) => Promise<PackOutcome>,
): Promise<Task> {
  const { label } = await getPublishedEvent(catalog, eventId, "shared");
  const message = `${beginnings[kind]} ${label}.`;
  return startTask(
    board,
    { kind, eventId, message },
    async (work) => endings[kind][(await run(work)).status],
  );
}

function startTask(
  board: TaskBoard,
  draft: Omit<TaskDraft, "begin"> & { readonly kind: PackTaskKind },
  run: (work: PackWorkOptions) => Promise<string>,
): Promise<Task> {
  const begin = ({ progress, claim }: TaskReport, signal: AbortSignal) => ({
    ended: run({ onProgress: toOneScale(stages[draft.kind], progress), onEvent: claim, signal }),
  });
  return board.start({ ...draft, begin });
}
