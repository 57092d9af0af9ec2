// The error of the GRIB2 reader: an AppError whose sentence names the section and the byte.
import { AppError } from "../../../shared/app-error.ts";

/** An unusable message: `source-invalid`, with its sentence. */
export class Grib2Error extends AppError {
  /**
   * @param text the sentence without its capital and full stop
   * @param offset in bytes from the start of the message, or of the gzip file around it
   * @param section number of the section, 0 to 8; undefined if it is about the file as a whole
   */
  constructor(text: string, offset: number, section?: number, cause?: unknown) {
    const where = section === undefined ? `byte ${offset}` : `section ${section}, byte ${offset}`;
    const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)} (${where}).`;
    super("source-invalid", sentence, { cause, context: { offset, section } });
  }
}

export function isGrib2Error(error: unknown): error is Grib2Error {
  return error instanceof Grib2Error;
}
