// The interface of a server that the Git rows measure.

export interface GitServer {
  /** Name shown in the row. */
  readonly name: string;
  /** Creates an empty repository; `token` is absent if the server requires none. */
  create(name: string): Promise<{ readonly remote: string; readonly token?: string }>;
  delete(name: string): Promise<void>;
  stop(): Promise<void>;
}
