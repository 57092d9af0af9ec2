// Cleaning up after work that may fail, without the clean-up hiding why it failed.

/** Runs `clean` after `work`, also when that fails; the error of `work` wins over that of `clean`. */
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
