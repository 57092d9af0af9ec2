// Tests of what people are told if a real server refuses: one line with the key of the configuration, without secrets.
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { AppError } from "../../../../shared/app-error.ts";
import type { S3Settings } from "../../../platform/s3/s3-bucket.ts";
import { openS3ObjectStore } from "../engines/s3-object-store.ts";
import { setVariables } from "../../../support/environment.ts";
import type { TestBucket } from "./test-bucket.ts";

/** Registers the tests. */
export function testRefusals(open: () => TestBucket): void {
  const refusalOf = async (
    settings: Partial<S3Settings>,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<AppError> => {
    onTestFinished(setVariables(variables));
    const store = await openS3ObjectStore({ ...open().settings, ...settings });
    onTestFinished(() => store.close());
    const error = await store.check().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(AppError);
    const { message } = error as AppError;
    expect(message).toMatch(/^[^\n]{20,160}\.$/);
    const { accessKeyId, secretAccessKey } = open().server;
    for (const secret of [accessKeyId, secretAccessKey, ...Object.values(variables)]) {
      expect(inspect(error, { depth: 9 })).not.toContain(secret);
    }
    return error as AppError;
  };

  test("a bucket that is not there is named by its key", async () => {
    const { code, message } = await refusalOf({ url: "s3://echotop-nowhere/a" });
    expect(code).toBe("storage-failed");
    expect(message).toBe("The bucket of `objects.url` does not exist; create it, or correct the name.");
  });

  test("a wrong secret is told, and not shown", async () => {
    const { message } = await refusalOf({}, { AWS_SECRET_ACCESS_KEY: "not-the-secret" });
    expect(message).toContain("refuses the credentials; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  });

  test("an unknown access key is told, and not shown", async () => {
    const { message } = await refusalOf({}, { AWS_ACCESS_KEY_ID: "stranger:unknown" });
    expect(message).toMatch(/(?:does not know|refuses) the credentials; check AWS_ACCESS_KEY_ID/);
  });
}
