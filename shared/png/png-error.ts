// The error of all PNG readers and writers.

/** A damaged or unsupported PNG. `offset` counts bytes from its start. */
export class PngError extends Error {
  override readonly name = "PngError";
  readonly offset: number;

  constructor(message: string, offset: number, options?: ErrorOptions) {
    super(`${message} (byte ${offset} of the PNG)`, options);
    this.offset = offset;
  }
}

export function isPngError(error: unknown): error is PngError {
  return error instanceof PngError;
}
