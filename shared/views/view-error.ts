// Why a link or a file is not opened, by name.

export const viewErrorCodes = [
  /** Not a view, or a damaged one. */
  "view-invalid",
  /** Longer than any view. */
  "view-too-large",
  /** Made by a newer Echotop. */
  "view-version-unknown",
] as const;
export type ViewErrorCode = (typeof viewErrorCodes)[number];

/** Its message is a sentence for a person, which repeats nothing of the text. */
export class ViewError extends Error {
  override readonly name = "ViewError";
  readonly code: ViewErrorCode;

  constructor(code: ViewErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function isViewError(error: unknown): error is ViewError {
  return error instanceof ViewError;
}
