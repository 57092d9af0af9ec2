// Work that is done at once, behind an interface that promises.

/** A throw becomes a rejection. */
export function settle<Result>(work: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
