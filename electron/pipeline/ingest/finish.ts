// Cleanup that does not hide why the work failed.

/** Runs `clean` after `work`, also if it fails. An error of `work` wins over one of `clean`. */
export async function finish<Result>(
  work: () => Promise<Result>,
  clean: () => Promise<void>,
): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await Promise.allSettled([clean()]);
    throw error;
  }
  await clean();
  return result;
}
