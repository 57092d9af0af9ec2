// The interface of a part of the API: REST routes below `/client/v4`, or a prefix for raw streams. The service checks
// platform tokens for REST and puts results into the v4 envelope; a raw part does everything itself.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

export const platformPermissions = [
  "artifacts:read",
  "artifacts:edit",
  "zone-settings:read",
  "zone-settings:edit",
] as const;
export type PlatformPermission = (typeof platformPermissions)[number];

/** A failure as the envelope has it. */
export interface ApiProblem {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiRequest {
  /** Decoded path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Every value of a repeated parameter, in order. */
  readonly query: URLSearchParams;
  /** A parsed JSON object; undefined without a body. */
  readonly body: unknown;
  /** Lower-case names. */
  readonly headers: IncomingHttpHeaders;
  /** Origin that the client used: `http://127.0.0.1:47801` or `https://NAME:PORT`. */
  readonly origin: string;
  /** Id of the platform token; never its secret. */
  readonly tokenId?: string | undefined;
  readonly signal: AbortSignal;
}

/** A result for the envelope, or raw bytes. */
export type ApiReply =
  | {
      readonly status?: number;
      readonly result: unknown;
      readonly resultInfo?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** Default 200; a 304 sends no bytes. */
      readonly status?: number;
      readonly raw: NodeJS.ReadableStream | Uint8Array;
      readonly headers: Readonly<Record<string, string>>;
    };

export interface ApiRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below `/client/v4`: `/accounts/:account/artifacts/namespaces/:namespace/repos`. */
  readonly path: string;
  readonly permission: PlatformPermission;
  readonly handle: (request: ApiRequest) => Promise<ApiReply>;
}

export interface ApiPart {
  /** True offers the part to other machines too. */
  readonly isShared?: true;
  readonly routes: readonly ApiRoute[];
  /** Returns the problem of an error that the part knows; undefined for another, which becomes a 500 and a log line. */
  readonly toProblem: (error: unknown) => ApiProblem | undefined;
  /** Requests below `prefix` (`/git/`) are handed over before any authentication. */
  readonly raw?: {
    readonly prefix: string;
    readonly handle: (request: IncomingMessage, response: ServerResponse, origin: string) => void;
  };
}
