// Channels between pages for tests: messages are delivered at once, to all others of the same name.
import type { OpenPageChannel } from "../../../platform/page-channel.ts";

export function createPageChannels(): OpenPageChannel {
  const open = new Map<string, Set<(message: unknown) => void>>();
  return (name, onMessage) => {
    const listeners = open.get(name) ?? new Set();
    open.set(name, listeners);
    const hear = (message: unknown): void => {
      onMessage(message);
    };
    listeners.add(hear);
    return {
      post: (message) => {
        for (const listener of [...listeners]) if (listener !== hear) listener(message);
      },
      close: () => {
        listeners.delete(hear);
      },
    };
  };
}
