// Interface of the real S3-compatible servers that tests start: all on loopback, all in one temporary folder.

export interface ObjectServer {
  /** Origin such as `http://127.0.0.1:40123`. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Parts that can be killed: the first keeps the bytes, the last answers requests. */
  readonly parts: readonly string[];
  /** Kills a part as a power cut would, and waits for its end. */
  kill(part: string): Promise<void>;
  /** Starts a killed part again; the last part is waited for. */
  restart(part: string): Promise<void>;
  /** Kills everything and removes the folder. */
  stop(): Promise<void>;
}

export interface ObjectEngine {
  readonly name: string;
  /** Command that installs the engine. */
  readonly install: string;
  readonly isInstalled: () => boolean;
  readonly start: () => Promise<ObjectServer>;
}

/** Returns the name of a suite; that of a skipped one says what it needs. */
export function nameWithNeeds({ name, install, isInstalled }: ObjectEngine): string {
  return isInstalled() ? name : `${name} (needs: ${install})`;
}
