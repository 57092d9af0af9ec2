// Retries a publication if retention in another process removes a frame between its storage and its publication.
import { isAppError } from "../../../shared/app-error.ts";

/** The second attempt usually works, because retention removes a frame only once. */
const mostAttempts = 5;

/**
 * Runs `storeAndPublish`, which stores frames and publishes or adopts them, and retries it while one of them vanishes.
 * @throws the error of the last attempt
 */
export async function publishAgainWhileFramesVanish<Result>(
  storeAndPublish: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storeAndPublish();
    } catch (error) {
      if (!isAppError(error, "frame-missing") || attempt === mostAttempts) throw error;
    }
  }
}
