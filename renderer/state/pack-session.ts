// Reads the list of packs for as long as somebody looks at it: when the panel opens, after whatever was done about packs,
// and gently while the panel stays open.
import type { ActionName } from "../../shared/contract/action-names.ts";
import type { ActionOutput } from "../../shared/contract/actions.ts";
import type { ActionCarrier } from "../api/actions.ts";
import { createReader } from "./reader.ts";
import type { ViewerState, ViewerStore } from "./store.ts";
import { isPackTask, isUnderWay, mayAct } from "./tasks.ts";

export interface PackSession {
  /** Takes over what an action answered, and reads again where it was about packs. */
  readonly note: (name: ActionName, output: ActionOutput<ActionName>) => void;
  readonly close: () => void;
}

export interface PackSessionParts {
  readonly store: ViewerStore;
  readonly carrier: ActionCarrier;
  readonly isVisible: () => boolean;
}

/** Sharing goes on by itself, and others push: what the panel says is at most so old. */
export const packsReadMs = 5_000;

export function startPackSession({ store, carrier, isVisible }: PackSessionParts): PackSession {
  const reader = createReader(async (signal) => {
    if (!mayAct(store.getState().access)) return;
    const listed = await carrier("packs.list", {});
    if (signal.aborted) return;
    if ("ok" in listed) {
      store.getState().receivePacks(listed.ok);
      return;
    }
    if (listed.problem.code === "refused") store.getState().setAccess("refused");
    store.getState().failPacks();
  });
  const timer = setInterval(() => {
    if (isOpen(store.getState()) && isVisible()) reader.request();
  }, packsReadMs);
  const stop = store.subscribe((state, previous) => {
    const hasEnded = countMoving(state) < countMoving(previous);
    if (isOpen(state) && (!isOpen(previous) || hasEnded)) reader.request();
  });
  return {
    note: (name, output) => {
      if ("listener" in output) store.getState().receiveHosting(output);
      if (name === "lan.switch" && "status" in output) store.getState().receiveLan(output);
      if (/^(?:packs|hosting|lan)\./.test(name)) reader.request();
    },
    close: () => {
      clearInterval(timer);
      stop();
      reader.close();
    },
  };
}

function isOpen({ flyout }: ViewerState): boolean {
  return flyout === "packs";
}

function countMoving({ tasks }: ViewerState): number {
  return tasks.filter((task) => isPackTask(task) && isUnderWay(task)).length;
}
