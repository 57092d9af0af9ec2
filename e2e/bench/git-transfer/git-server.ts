// What the Git rows ask of a server, whichever it is.

export interface GitServer {
  /** For the row. */
  readonly name: string;
  /** An empty repository. `token` is absent where none is asked for. */
  create(name: string): Promise<{ readonly remote: string; readonly token?: string }>;
  delete(name: string): Promise<void>;
  stop(): Promise<void>;
}
