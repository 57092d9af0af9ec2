// What errors of a closed set of kinds are made of.

export abstract class Fault<Kind extends string> extends Error {
  readonly kind: Kind;

  /** `message` is a sentence for a person. */
  constructor(kind: Kind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
