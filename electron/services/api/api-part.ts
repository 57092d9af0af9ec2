// What a part brings to the API listener: REST routes below `/client/v4`, or a prefix of its own for raw streams. The listener
// authenticates REST by platform tokens and wraps results in the v4 envelope; a raw part does everything itself.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

export const platformPermissions = [
  "artifacts:read",
  "artifacts:edit",
  "zone-settings:read",
  "zone-settings:edit",
] as const;
export type PlatformPermission = (typeof platformPermissions)[number];

/** A failure with its place in the envelope. */
export interface ApiProblem {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiRequest {
  /** Decoded path parameters, as the route names them. */
  readonly params: Readonly<Record<string, string>>;
  /** Of repeated parameters all values, in order. */
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** As Node gives them: `if-none-match`. */
  readonly headers: IncomingHttpHeaders;
  /** `http://127.0.0.1:47801` or `https://NAME:PORT`: the listener that the request came to. */
  readonly origin: string;
  /** Of the platform token that asks; never its secret. */
  readonly tokenId?: string | undefined;
  readonly signal: AbortSignal;
}

/** An envelope, or bytes as they are (`raw`). */
export type ApiReply =
  | {
      readonly status?: number;
      readonly result: unknown;
      readonly resultInfo?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** 200 unless given; 304 goes with no bytes. */
      readonly status?: number;
      readonly raw: NodeJS.ReadableStream | Uint8Array;
      readonly headers: Readonly<Record<string, string>>;
    };

export interface ApiRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below `/client/v4`: `/accounts/:account/artifacts/namespaces/:namespace/repos`. */
  readonly path: string;
  /** Edit includes read of the same group. */
  readonly permission: PlatformPermission;
  readonly handle: (request: ApiRequest) => Promise<ApiReply>;
}

export interface ApiPart {
  /** Offered to other machines of the network too; a part is this machine's alone unless it says so. */
  readonly isShared?: true;
  readonly routes: readonly ApiRoute[];
  /** The problem of an error that the part knows; undefined for any other, which becomes a 500 and a log line. */
  readonly toProblem: (error: unknown) => ApiProblem | undefined;
  /** Requests whose path begins so (`/git/`) are handed over whole, before any authentication. */
  readonly raw?: {
    readonly prefix: string;
    readonly handle: (request: IncomingMessage, response: ServerResponse, origin: string) => void;
  };
}
