// The one error of the GRIB2 reader: a sentence for a person, the section it is about, and the byte.

/** Bytes that are not the GRIB2 message they should be. `offset` counts from the first byte of the message. */
export class Grib2Error extends Error {
  override readonly name = "Grib2Error";
  readonly offset: number;
  /** Number of the section (0 to 8), undefined where it is about the file as a whole. */
  readonly section: number | undefined;

  constructor(message: string, offset: number, section?: number, options?: ErrorOptions) {
    const where = section === undefined ? `byte ${offset}` : `section ${section}, byte ${offset}`;
    super(`${message} (${where})`, options);
    this.offset = offset;
    this.section = section;
  }
}

export function isGrib2Error(error: unknown): error is Grib2Error {
  return error instanceof Grib2Error;
}
