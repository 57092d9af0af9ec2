// A bucket of an S3-compatible server: requests with deadlines and bounded retries. The client's package is loaded when
// a bucket is opened, and credentials come from where the tools of AWS find them: environment, files, instance.
import { createHash } from "node:crypto";
import type * as S3Sdk from "@aws-sdk/client-s3";
import { isMissingObject, toS3Error } from "./s3-error.ts";
import { createS3Requests, type S3Requests } from "./s3-requests.ts";

export interface S3Settings {
  /** `s3://BUCKET/PREFIX`; keys are below the prefix. */
  readonly url: string;
  /** Origin of the server; undefined for AWS. */
  readonly endpoint: string | undefined;
  /** True if the bucket is in the path, and not in the host name. */
  readonly pathStyle: boolean;
  /** Time without progress after which a request is made again; default 10 seconds. */
  readonly patienceMs?: number;
}

export interface S3Object {
  /** Key below the prefix. */
  readonly key: string;
  readonly byteLength: number;
  readonly modifiedAt: string;
}

export interface S3GetOptions {
  readonly byteLimit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Every method throws AppError `storage-failed`, or `storage-unavailable` for trouble that may pass, whose sentence
 * names a key of the configuration; or the signal's reason.
 */
export interface S3Bucket {
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Returns the bytes of an object, or the first ones up to one byte beyond `byteLimit`. */
  get(key: string, options?: S3GetOptions): Promise<Uint8Array | undefined>;
  /** Returns the length of an object; undefined if it does not exist. */
  measure(key: string, signal?: AbortSignal): Promise<number | undefined>;
  /** Removes an object; a missing one is fine. */
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<S3Object>;
  /** Reads one page of the listing, which needs server, credentials and bucket. Writes nothing. */
  check(): Promise<void>;
  /** Ends what is running, and closes all connections. */
  close(): void;
}

type Sdk = typeof S3Sdk;

export async function openS3Bucket(settings: S3Settings): Promise<S3Bucket> {
  const sdk = await import("@aws-sdk/client-s3");
  const { host: bucket, pathname } = new URL(settings.url);
  const path = decodeURIComponent(pathname).replaceAll(/^\/+|\/+$/g, "");
  const client = createClient(sdk, settings);
  return new OpenBucket({ sdk, client, bucket, prefix: path === "" ? "" : `${path}/`, settings });
}

function createClient({ S3Client }: Sdk, { endpoint, pathStyle }: S3Settings): S3Sdk.S3Client {
  const region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
  return new S3Client({
    ...(endpoint === undefined ? {} : { endpoint, region: region ?? "us-east-1" }),
    forcePathStyle: pathStyle,
    // Other servers do not know the newer checksums; Content-MD5 guards uploads, and readers check hashes.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // `createS3Requests` retries, so that a body cut in the middle counts as a failure.
    maxAttempts: 1,
    // It would open a connection for each large upload.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: 5_000,
      httpAgent: { maxSockets: 64 },
      httpsAgent: { maxSockets: 64 },
    },
  });
}

interface BucketParts {
  readonly sdk: Sdk;
  readonly client: S3Sdk.S3Client;
  readonly bucket: string;
  /** Empty, or ends in a slash. */
  readonly prefix: string;
  readonly settings: S3Settings;
}

class OpenBucket implements S3Bucket {
  readonly #parts: BucketParts;
  readonly #requests: S3Requests;

  constructor(parts: BucketParts) {
    this.#parts = parts;
    this.#requests = createS3Requests((error) => toS3Error(error, parts.settings), parts.settings.patienceMs);
  }

  async put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const { sdk, client } = this.#parts;
    const md5 = createHash("md5").update(bytes).digest("base64");
    const input = { ...this.#at(key), Body: bytes, ContentLength: bytes.byteLength, ContentMD5: md5 };
    await this.#requests.run((abortSignal) => client.send(new sdk.PutObjectCommand(input), { abortSignal }), {
      signal,
      byteLength: bytes.byteLength,
    });
  }

  async get(key: string, { byteLimit, signal }: S3GetOptions = {}): Promise<Uint8Array | undefined> {
    const { sdk, client } = this.#parts;
    return this.#requests.run(
      async (abortSignal, onProgress) => {
        try {
          const answer = await client.send(new sdk.GetObjectCommand(this.#at(key)), { abortSignal });
          const body = answer.Body as AsyncIterable<Uint8Array>;
          return await readBody(body, { byteLength: answer.ContentLength, byteLimit, onProgress });
        } catch (error) {
          if (isMissingObject(error)) return undefined;
          throw error;
        }
      },
      { signal },
    );
  }

  async measure(key: string, signal?: AbortSignal): Promise<number | undefined> {
    const { sdk, client } = this.#parts;
    return this.#requests.run(
      async (abortSignal) => {
        try {
          const answer = await client.send(new sdk.HeadObjectCommand(this.#at(key)), { abortSignal });
          return answer.ContentLength;
        } catch (error) {
          if (isMissingObject(error)) return undefined;
          throw error;
        }
      },
      { signal },
    );
  }

  async remove(key: string): Promise<void> {
    const { sdk, client } = this.#parts;
    await this.#requests.run(async (abortSignal) => {
      try {
        await client.send(new sdk.DeleteObjectCommand(this.#at(key)), { abortSignal });
      } catch (error) {
        if (!isMissingObject(error)) throw error;
      }
    });
  }

  async *list(prefix: string): AsyncGenerator<S3Object> {
    const { sdk, client, bucket, prefix: own } = this.#parts;
    let token: string | undefined;
    do {
      const input = { Bucket: bucket, Prefix: own + prefix, ContinuationToken: token };
      const page = await this.#requests.run((abortSignal) =>
        client.send(new sdk.ListObjectsV2Command(input), { abortSignal }),
      );
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key === undefined || Size === undefined || LastModified === undefined) continue;
        yield { key: Key.slice(own.length), byteLength: Size, modifiedAt: LastModified.toISOString() };
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  async check(): Promise<void> {
    const { sdk, client, bucket, prefix } = this.#parts;
    const input = { Bucket: bucket, Prefix: prefix, MaxKeys: 1 };
    await this.#requests.run(async (abortSignal) => {
      const page = await client.send(new sdk.ListObjectsV2Command(input), { abortSignal });
      // Any XML reads as an empty page, but only a listing says how much it may hold.
      if (page.MaxKeys === undefined) throw new SyntaxError("The answer is not a listing.");
    });
  }

  close(): void {
    this.#requests.close();
    this.#parts.client.destroy();
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#parts.bucket, Key: this.#parts.prefix + key };
  }
}

interface BodyLimits {
  /** Length that the server announced. */
  readonly byteLength: number | undefined;
  readonly byteLimit: number | undefined;
  readonly onProgress: () => void;
}

/**
 * Reads a body to its end, or until it is one byte too long. @throws an error with code `ECONNRESET` if it is shorter
 * than announced
 */
async function readBody(
  body: AsyncIterable<Uint8Array>,
  { byteLength, byteLimit = Infinity, onProgress }: BodyLimits,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of body) {
    onProgress();
    chunks.push(chunk);
    received += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (received > byteLimit) return Buffer.concat(chunks, byteLimit + 1);
  }
  const bytes = Buffer.concat(chunks);
  if (byteLength !== undefined && bytes.byteLength !== byteLength)
    throw Object.assign(new Error("The answer was cut."), { code: "ECONNRESET" });
  return bytes;
}
