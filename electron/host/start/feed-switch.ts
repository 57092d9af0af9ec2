// Starts and stops the live feed while the host runs; the settings remember it. A feed of the command line cannot be
// changed here.
import { AppError, isAppError } from "../../../shared/app-error.ts";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { LiveSource, LiveState } from "../../../shared/contract/live.ts";
import { createClosableMutex } from "../../platform/locks/mutex.ts";
import type { Log } from "../../platform/effects.ts";
import type { FeedConfig } from "../../sources/feeds/feed-config.ts";
import type { Feed } from "../../sources/feeds/feed.ts";
import type { HostConfig } from "../config/host-config.ts";
import type { Settings, SettingsFile } from "../config/settings.ts";
import { toLiveFeed } from "./live-feed.ts";

export interface FeedSwitchOptions {
  readonly config: Pick<HostConfig, "feed" | "resumesLive">;
  readonly settings: SettingsFile;
  /** @throws AppError `conflict` if the event cannot take a live feed, or another process fills it */
  readonly startFeed: (feed: FeedConfig) => Promise<Feed>;
  readonly log: Log;
}

/**
 * Starts the feed of the command line, or else that of the settings if this host resumes it.
 * @throws as `startFeed` for the feed of the command line; a failure of the other becomes its state
 */
export async function openFeedSwitch(options: FeedSwitchOptions): Promise<FeedSwitch> {
  const live = new FeedSwitch(options);
  await live.open();
  return live;
}

interface RunningFeed {
  readonly feed: Feed;
  readonly config: FeedConfig;
  /** Null for the feed of the command line. */
  readonly source: LiveSource | null;
}

/** Returns undefined for a stored source of another system, such as a drive of Windows. */
function findLiveFeed(source: LiveSource | null): FeedConfig | undefined {
  try {
    return source === null ? undefined : toLiveFeed(source);
  } catch (error) {
    if (isAppError(error, "invalid-input")) return undefined;
    throw error;
  }
}

export class FeedSwitch {
  readonly #options: FeedSwitchOptions;
  readonly #changes = createClosableMutex();
  #running: RunningFeed | undefined;
  #problem: string | undefined;

  constructor(options: FeedSwitchOptions) {
    this.#options = options;
  }

  /** Must be the first call. */
  async open(): Promise<void> {
    const { config, settings } = this.#options;
    const { live } = settings.current();
    if (config.feed !== undefined) await this.#run(config.feed, null);
    else if (config.resumesLive && live?.on === true) await this.#resume(live.source);
  }

  health(): readonly FeedHealth[] {
    return this.#running?.feed.health() ?? [];
  }

  state(): LiveState {
    const running = this.#running;
    const problem = this.#problem ?? null;
    const source = running ? running.source : (this.#options.settings.current().live?.source ?? null);
    const feed = running?.config ?? findLiveFeed(source);
    return {
      status: running ? "on" : problem === null ? "off" : "failed",
      source,
      eventId: feed === undefined || feed.source.kind === "mirror" ? null : feed.eventId,
      problem,
      isConfigured: this.#isConfigured,
    };
  }

  /**
   * Follows a source instead of the previous one, and the previous one again if it fails. Does nothing if the source is
   * followed already.
   * @throws AppError `invalid-input`; `conflict` if the command line decides, and as `startFeed`; `storage-failed`
   */
  start(source: LiveSource): Promise<LiveState> {
    const feed = toLiveFeed(source);
    return this.#changes.run(async () => {
      this.#requireChangeable();
      if (this.#running?.source === source) return this.state();
      const before = this.#running?.source ?? null;
      await this.#end();
      try {
        // A choice that fails is not tried again by the next run.
        if (before === null) await this.#save({ source, on: false });
        await this.#run(feed, source);
        await this.#save({ source, on: true });
      } catch (error) {
        await this.#end();
        if (before !== null) await this.#resume(before);
        throw error;
      }
      return this.state();
    });
  }

  /** Leaves what was published. @throws AppError `conflict` if the command line decides; `storage-failed` */
  stop(): Promise<LiveState> {
    return this.#changes.run(async () => {
      this.#requireChangeable();
      const { live } = this.#options.settings.current();
      // The feed ends even if the choice cannot be saved.
      await this.#end();
      if (live?.on === true) await this.#save({ ...live, on: false });
      return this.state();
    });
  }

  /** The next run of the host starts the feed again. Idempotent. */
  close(): Promise<void> {
    return this.#changes.close(() => this.#end());
  }

  get #isConfigured(): boolean {
    return this.#options.config.feed !== undefined;
  }

  #requireChangeable(): void {
    if (!this.#isConfigured) return;
    throw new AppError(
      "conflict",
      "The command line chose this feed. Start Echotop without --feed to choose here.",
    );
  }

  #save(live: Settings["live"]): Promise<void> {
    return this.#options.settings.change({ live });
  }

  async #run(config: FeedConfig, source: LiveSource | null): Promise<void> {
    this.#running = { feed: await this.#options.startFeed(config), config, source };
  }

  async #resume(source: LiveSource): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#run(toLiveFeed(source), source);
    } catch (error) {
      this.#problem = isAppError(error) ? error.detail : "The live feed could not start again. See the log.";
      log("warn", this.#problem, isAppError(error) ? error.context : { error });
    }
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#problem = undefined;
    await running?.feed.close();
  }
}
