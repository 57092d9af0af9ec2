// Actions on the live feed: read, start, stop.
import { stat } from "node:fs/promises";
import { AppError } from "../../../shared/app-error.ts";
import type { LiveActionName } from "../../../shared/contract/action-names.ts";
import type { ActionHandlers } from "../../../shared/contract/actions.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import type { FeedSourceConfig } from "../../sources/feeds/feed-config.ts";
import type { FeedSwitch } from "../start/feed-switch.ts";
import { toLiveFeed } from "../start/live-feed.ts";

export function createLiveActions(live: FeedSwitch): ActionHandlers<LiveActionName> {
  return {
    "live.read": () => Promise.resolve(live.state()),
    "live.start": async ({ source }) => {
      await requireFolder(toLiveFeed(source).source);
      return live.start(source);
    },
    "live.stop": () => live.stop(),
  };
}

/**
 * Checks that the folder of a feed exists. A feed that starts again after a restart waits for its folder instead: the
 * drive may come later.
 * @throws AppError `invalid-input`
 */
async function requireFolder(source: FeedSourceConfig): Promise<void> {
  if (source.kind !== "folder") return;
  let isFolder: boolean;
  try {
    isFolder = (await stat(source.directory)).isDirectory();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    const detail = "There is no such folder, or it may not be read. Check its path.";
    throw new AppError("invalid-input", detail, { cause: error });
  }
  if (!isFolder) throw new AppError("invalid-input", "This is a file. Give the folder that it is in.");
}
