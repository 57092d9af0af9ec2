// Reads the lists of the Share panel: when one of their parts opens, after its actions and tasks, and at intervals
// while it is open and seen.
import type { ActionName } from "../../../shared/contract/action-names.ts";
import type { ActionOutput } from "../../../shared/contract/actions.ts";
import type { Task } from "../../../shared/contract/task.ts";
import type { ActionCarrier, ActionOutcome } from "../../api/action-client.ts";
import { pollTiming } from "../../platform/viewer-limits.ts";
import { createReader, type Reader } from "../reading/single-reader.ts";
import type { SharePart } from "../slices/screen-slice.ts";
import { isBriefingTask, isPackTask, isUnderWay, mayAct } from "../slices/tasks-slice.ts";
import type { ViewerState, ViewerStore } from "../store.ts";

export interface PanelSession {
  /** Stores the output of an action, and reads again if the action belongs to the panel. */
  readonly note: (name: ActionName, output: ActionOutput<ActionName>) => void;
  readonly close: () => void;
}

export interface PanelSessionParts {
  readonly store: ViewerStore;
  readonly carrier: ActionCarrier;
  readonly isVisible: () => boolean;
}

const packParts: readonly SharePart[] = ["packs", "get", "changes", "hosting"];
const briefingParts: readonly SharePart[] = ["briefing", "gateway", "redirects", "explain"];

export function startPackSession(parts: PanelSessionParts): PanelSession {
  const { store, carrier } = parts;
  const { receivePacks, failPacks, receiveHosting, receiveLan } = store.getState();
  const reader = createPanelReader(parts, packParts, isPackTask, (signal) =>
    take(store, signal, carrier("packs.list", {}), receivePacks, failPacks),
  );
  return {
    note: (name, output) => {
      if (name === "hosting.switch" && "listener" in output && "git" in output) receiveHosting(output);
      if (name === "lan.switch" && "status" in output && !("steps" in output || "source" in output))
        receiveLan(output);
      if (/^(?:packs|hosting|lan)\./.test(name)) reader.request();
    },
    close: reader.close,
  };
}

export function startBriefingSession(parts: PanelSessionParts): PanelSession {
  const { store, carrier } = parts;
  const { receiveBriefings, failBriefings, receiveGateway, failGateway } = store.getState();
  const reader = createPanelReader(parts, briefingParts, isBriefingTask, async (signal) => {
    const takeBriefings = ({ briefings }: ActionOutput<"briefings.list">): void => {
      receiveBriefings(briefings);
    };
    await Promise.all([
      take(store, signal, carrier("briefings.list", {}), takeBriefings, failBriefings),
      take(store, signal, carrier("gateway.read", {}), receiveGateway, failGateway),
    ]);
  });
  return {
    note: (name, output) => {
      if ("directory" in output) receiveGateway(output);
      if (/^(?:briefings|gateway)\./.test(name)) reader.request();
    },
    close: reader.close,
  };
}

/** Stores an answer or a failure. A refusal makes the page read-only. */
async function take<Name extends ActionName>(
  store: ViewerStore,
  signal: AbortSignal,
  answer: Promise<ActionOutcome<Name>>,
  receive: (output: ActionOutput<Name>) => void,
  fail: () => void,
): Promise<void> {
  const outcome = await answer;
  if (signal.aborted) return;
  if ("ok" in outcome) {
    receive(outcome.ok);
    return;
  }
  if (outcome.problem.code === "refused") store.getState().setAccess("refused");
  fail();
}

function createPanelReader(
  { store, isVisible }: PanelSessionParts,
  parts: readonly SharePart[],
  isAbout: (task: Task) => boolean,
  read: (signal: AbortSignal) => Promise<void>,
): Reader {
  const reader = createReader(async (signal) => {
    if (mayAct(store.getState().access)) await read(signal);
  });
  const isOpen = (state: ViewerState): boolean => state.flyout === "share" && parts.includes(state.sharePart);
  const countRunning = ({ tasks }: ViewerState): number =>
    tasks.filter((task) => isAbout(task) && isUnderWay(task)).length;
  const timer = setInterval(() => {
    if (isOpen(store.getState()) && isVisible()) reader.request();
  }, pollTiming.panelMs);
  const stop = store.subscribe((state, previous) => {
    const hasEnded = countRunning(state) < countRunning(previous);
    if (isOpen(state) && (!isOpen(previous) || hasEnded)) reader.request();
  });
  return {
    request: reader.request,
    close: () => {
      clearInterval(timer);
      stop();
      reader.close();
    },
  };
}
