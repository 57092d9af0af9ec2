// The one error of every PNG reader and writer here: a sentence for a person and the byte it is about.

/** A PNG that is not what it says it is. `offset` counts bytes from the first byte of the PNG. */
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
