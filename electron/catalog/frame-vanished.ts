// Publishing against retention in another process, which may remove a frame between its storing and its publication.
import { isAppError } from "../../shared/app-error.ts";

/** Retention forgets a frame once it has removed it, so a second attempt is the rule. */
const attempts = 5;

/**
 * Runs `storeAndPublish`, which puts its frames into the store and publishes or adopts them, again while a frame of it
 * vanishes in between. @throws what the last attempt throws
 */
export async function publishAgainWhileFramesVanish<Result>(
  storeAndPublish: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storeAndPublish();
    } catch (error) {
      if (!isAppError(error, "frame-missing") || attempt === attempts) throw error;
    }
  }
}
