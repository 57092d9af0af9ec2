// What may be wrong with an object of a repository, as the end of a sentence that names the object's place in its pack.

/** `message` is a sentence about the object: "It is missing from the object store." */
export class ObjectFault extends Error {
  override readonly name = "ObjectFault";
}

export function isObjectFault(error: unknown): error is ObjectFault {
  return error instanceof ObjectFault;
}
