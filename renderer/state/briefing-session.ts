// Reads the briefings and the gateway's state for as long as somebody looks at them.
import type { ActionName } from "../../shared/contract/action-names.ts";
import type { ActionOutput } from "../../shared/contract/actions.ts";
import type { ActionCarrier, ActionProblem } from "../api/action-client.ts";
import { pollTiming } from "../platform/viewer-limits.ts";
import { createPanelReader } from "./panel-reader.ts";
import type { ViewerStore } from "./store.ts";
import { isBriefingTask, mayAct } from "./slices/tasks-slice.ts";

export interface BriefingSession {
  /** Takes over what an action answered, and reads again where it was about briefings. */
  readonly note: (name: ActionName, output: ActionOutput<ActionName>) => void;
  readonly close: () => void;
}

export interface BriefingSessionParts {
  readonly store: ViewerStore;
  readonly carrier: ActionCarrier;
  readonly isVisible: () => boolean;
}

export function startBriefingSession({ store, carrier, isVisible }: BriefingSessionParts): BriefingSession {
  const noteRefusal = ({ code }: ActionProblem): void => {
    if (code === "refused") store.getState().setAccess("refused");
  };
  const readBriefings = async (signal: AbortSignal): Promise<void> => {
    const listed = await carrier("briefings.list", {});
    if (signal.aborted) return;
    if ("ok" in listed) {
      store.getState().receiveBriefings(listed.ok.briefings);
      return;
    }
    noteRefusal(listed.problem);
    store.getState().failBriefings();
  };
  const readGateway = async (signal: AbortSignal): Promise<void> => {
    const read = await carrier("gateway.read", {});
    if (signal.aborted) return;
    if ("ok" in read) {
      store.getState().receiveGateway(read.ok);
      return;
    }
    noteRefusal(read.problem);
    store.getState().failGateway();
  };
  const reader = createPanelReader({
    store,
    flyout: "briefings",
    everyMs: pollTiming.panelMs,
    isVisible,
    isAbout: isBriefingTask,
    read: async (signal) => {
      if (mayAct(store.getState().access)) await Promise.all([readBriefings(signal), readGateway(signal)]);
    },
  });
  return {
    note: (name, output) => {
      if ("directory" in output) store.getState().receiveGateway(output);
      if (/^(?:briefings|gateway)\./.test(name)) reader.request();
    },
    close: reader.close,
  };
}
