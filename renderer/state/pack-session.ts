// Reads the list of packs for as long as somebody looks at it: when the panel opens, after whatever was done about packs,
// and gently while the panel stays open.
import type { ActionName } from "../../shared/contract/action-names.ts";
import type { ActionOutput } from "../../shared/contract/actions.ts";
import type { ActionCarrier } from "../api/action-client.ts";
import { pollTiming } from "../platform/viewer-limits.ts";
import { createPanelReader } from "./panel-reader.ts";
import type { ViewerStore } from "./store.ts";
import { isPackTask, mayAct } from "./slices/tasks-slice.ts";

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

export function startPackSession({ store, carrier, isVisible }: PackSessionParts): PackSession {
  const reader = createPanelReader({
    store,
    flyout: "packs",
    everyMs: pollTiming.panelMs,
    isVisible,
    isAbout: isPackTask,
    read: async (signal) => {
      if (!mayAct(store.getState().access)) return;
      const listed = await carrier("packs.list", {});
      if (signal.aborted) return;
      if ("ok" in listed) {
        store.getState().receivePacks(listed.ok);
        return;
      }
      if (listed.problem.code === "refused") store.getState().setAccess("refused");
      store.getState().failPacks();
    },
  });
  return {
    note: (name, output) => {
      if (name === "hosting.switch" && "listener" in output && "git" in output)
        store.getState().receiveHosting(output);
      if (name === "lan.switch" && "status" in output && !("steps" in output))
        store.getState().receiveLan(output);
      if (/^(?:packs|hosting|lan)\./.test(name)) reader.request();
    },
    close: reader.close,
  };
}
