// The worker that reads one overlay file and ends: whatever a file makes of its readers dies with it.
import "../platform/schema-settings.ts";
import { AppError, messageOf } from "../../shared/app-error.ts";
import type { OverlayReply, OverlayRequest } from "./overlay-messages.ts";
import { readOverlay } from "./read-overlay.ts";

/** The part of a worker's global scope that is used here; the page's types lack it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<OverlayRequest>) => void) | null;
  postMessage(message: OverlayReply): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { bytes, name } }) => {
  readOverlay(bytes, name)
    .then((content) => {
      scope.postMessage({ content });
    })
    .catch((error: unknown) => {
      const code = error instanceof AppError ? error.code : "source-invalid";
      scope.postMessage({ problem: { code, detail: messageOf(error) } });
    });
};
