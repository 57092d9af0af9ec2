// Object store in a bucket of an S3-compatible server. It needs only PUT, GET, HEAD, DELETE and listings; nothing
// depends on conditional requests.
import { AppError } from "../../../../shared/app-error.ts";
import { mapLimited } from "../../../platform/locks/limit.ts";
import { openS3Bucket, type S3Settings } from "../../../platform/s3/s3-bucket.ts";
import type { ObjectStore } from "../object-store.ts";

const parallelRemovals = 8;
const mostUploads = 3;

/** Loads the client of S3; sends nothing. */
export async function openS3ObjectStore(settings: S3Settings): Promise<ObjectStore> {
  const bucket = await openS3Bucket(settings);
  return {
    async put(key, bytes, signal) {
      // A server that answers before it has the object must not be believed.
      for (let upload = 0; upload < mostUploads; upload += 1) {
        await bucket.put(key, bytes, signal);
        if ((await bucket.measure(key, signal)) === bytes.byteLength) return;
      }
      throw new AppError(
        "storage-failed",
        "The object store of `objects.url` loses what it has accepted; look at its log, and use another store.",
      );
    },
    get: (key, options) => bucket.get(key, options),
    async remove(keys) {
      // Some servers accept the removal of many only with a header that the client does not send.
      await mapLimited(keys, parallelRemovals, (key) => bucket.remove(key));
    },
    list: (prefix) => bucket.list(prefix),
    // Only an administrator creates a bucket.
    prepare: () => bucket.check(),
    check: () => bucket.check(),
    close() {
      bucket.close();
      return Promise.resolve();
    },
  };
}
