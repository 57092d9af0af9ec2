// An ArtifactsError whose code alone does not say the HTTP status: what another Git service did wrong.
import { ArtifactsError, type ArtifactsErrorCode } from "../artifacts-error.ts";

export type TransferStatus = 400 | 413 | 422 | 502 | 503 | 504;

export class TransferError extends ArtifactsError {
  /** For REST; stands before what the code would give. */
  readonly status: TransferStatus;

  constructor(
    status: TransferStatus,
    code: ArtifactsErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(code, message, options);
    this.status = status;
  }
}
