// A channel between the pages of this viewer in one browser: what one posts, all others of the same name hear.

export interface PageChannel {
  readonly post: (message: unknown) => void;
  readonly close: () => void;
}

export type OpenPageChannel = (name: string, onMessage: (message: unknown) => void) => PageChannel;

export const openPageChannel: OpenPageChannel = (name, onMessage) => {
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", ({ data }) => {
    onMessage(data);
  });
  return {
    post: (message) => {
      channel.postMessage(message);
    },
    close: () => {
      channel.close();
    },
  };
};
