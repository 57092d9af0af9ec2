// Puts the actions of all parts behind one dispatch, with one board of tasks.
import { createDispatch } from "../../../shared/actions/dispatch.ts";
import type { HostActionName } from "../../../shared/contract/action-names.ts";
import type { Dispatch } from "../../../shared/contract/actions.ts";
import type { Stores } from "../../catalog/stores/located-stores.ts";
import type { Effects } from "../../platform/effects.ts";
import type { HostConfig } from "../config/host-config.ts";
import type { FeedSwitch } from "../start/feed-switch.ts";
import type { OverlaySwitch } from "../start/overlay-switch.ts";
import type { GatewaySwitch } from "../start/gateway-switch.ts";
import { createBriefingActions } from "./briefing-actions.ts";
import { createEventActions } from "./event-and-task-actions.ts";
import { createFetchTask, createReplayTask } from "./event-tasks.ts";
import { createGatewayActions } from "./gateway-actions.ts";
import { createOverlayActions } from "./overlay-actions.ts";
import { createLiveActions } from "./live-actions.ts";
import { createPackActions, type PackActionParts } from "./pack-actions.ts";
import { TaskBoard } from "./task-board.ts";

export interface RunningActions {
  readonly dispatch: Dispatch;
  /** Stops every task and waits for its end. */
  readonly close: () => Promise<void>;
}

export interface ActionParts extends Pick<PackActionParts, "secrets" | "hosting" | "sharing"> {
  readonly stores: Stores;
  readonly gateway: GatewaySwitch;
  readonly live: FeedSwitch;
  readonly overlays: OverlaySwitch;
}

export function startActions(config: HostConfig, parts: ActionParts, effects: Effects): RunningActions {
  const { stores, gateway, live, overlays } = parts;
  const { catalog, frames } = stores;
  const { dataDirectory, briefingMapFile: mapFile, renderWorkerUrl } = config;
  const board = new TaskBoard(effects.log);
  const dispatch = createDispatch<HostActionName>({
    handlers: {
      ...createEventActions({
        board,
        catalog,
        beginFetch: createFetchTask({ ...stores, renderWorkerUrl, effects }),
        beginReplay: createReplayTask({ catalog, effects }),
      }),
      ...createPackActions({ ...parts, catalog, board, now: effects.now }),
      ...createBriefingActions({
        ...{ catalog, frames, board, dataDirectory, mapFile },
        gateway: () => gateway.running,
      }),
      ...createGatewayActions(gateway),
      ...createLiveActions(live),
      ...createOverlayActions({ board, overlays, catalog, addresses: config.presetAddresses, effects }),
    },
    report: (message, facts) => {
      effects.log("warn", message, facts);
    },
  });
  return { dispatch, close: () => board.close() };
}
