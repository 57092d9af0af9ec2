// An update server with real files over real HTTP, and ways to break each of its answers.
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { signatureNameOf, signRelease, toPublicKey } from "../release-signature.ts";

export interface Release {
  readonly version: string;
  /** Name and bytes of each installer. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

export interface ReleaseSite {
  readonly url: string;
  readonly publicKey: string;
  /** Puts a signed release in place of the one before. */
  readonly publish: (release: Release, metadataName?: string) => void;
  /** Contents by file name; a test may change them. */
  readonly files: Map<string, Uint8Array>;
  /** Answers in place of a file. */
  readonly answers: Map<string, RequestListener>;
  /** Names of the files that were asked for, in order. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

export interface SiteOptions {
  readonly key?: KeyObject;
  /** Serves over TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Returns metadata as electron-builder writes it. */
export function toMetadata({ version, files }: Release): string {
  const entries = Object.entries(files).map(([name, bytes]) => {
    const sha512 = createHash("sha512").update(bytes).digest("base64");
    return `  - url: ${name}\n    sha512: ${sha512}\n    size: ${bytes.length}\n`;
  });
  return `version: ${version}\nfiles:\n${entries.join("")}releaseDate: '2026-11-23T00:00:00.000Z'\n`;
}

export async function openReleaseSite(options: SiteOptions = {}): Promise<ReleaseSite> {
  const key = options.key ?? generateKeyPairSync("ed25519").privateKey;
  const files = new Map<string, Uint8Array>();
  const answers = new Map<string, RequestListener>();
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    const name = decodeURIComponent(new URL(request.url!, "http://localhost").pathname).replace(
      "/releases/",
      "",
    );
    asked.push(name);
    const answer = answers.get(name);
    const bytes = files.get(name);
    if (answer) answer(request, response);
    else if (bytes) response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    else response.writeHead(404).end();
  };
  const server: Server = options.tls ? createSecureServer(options.tls, listener) : createServer(listener);
  const { promise: listening, resolve } = Promise.withResolvers<undefined>();
  server.listen(0, "127.0.0.1", () => {
    resolve(undefined);
  });
  await listening;
  return {
    url: `${options.tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}/releases/`,
    publicKey: toPublicKey(key),
    publish: (release, metadataName = "latest-linux.yml") => {
      for (const [name, bytes] of Object.entries(release.files)) files.set(name, bytes);
      const metadata = Buffer.from(toMetadata(release));
      files.set(metadataName, metadata);
      files.set(signatureNameOf(metadataName), Buffer.from(signRelease(key, metadataName, metadata)));
    },
    files,
    answers,
    asked,
    close: async () => {
      server.closeAllConnections();
      const { promise: closed, resolve: end } = Promise.withResolvers<undefined>();
      server.close(() => {
        end(undefined);
      });
      await closed;
    },
  };
}
