// Opens a WebSocket that reports its end once, and not after it is closed.

export interface SocketHandlers {
  readonly onOpen: () => void;
  readonly onMessage: (data: unknown) => void;
  /** Called once, on the first close or error; not after `close()`. */
  readonly onEnd: () => void;
}

/** An open or opening WebSocket. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

/** Opens an absolute URL of the scheme `ws` or `wss`. */
export function openSocket(url: URL, handlers: SocketHandlers): Socket {
  const socket = new WebSocket(url);
  const ended = new AbortController();
  const { signal } = ended;
  const end = (): void => {
    ended.abort();
    handlers.onEnd();
  };
  socket.addEventListener("open", handlers.onOpen, { signal });
  socket.addEventListener(
    "message",
    (event) => {
      handlers.onMessage(event.data);
    },
    { signal },
  );
  socket.addEventListener("close", end, { signal });
  socket.addEventListener("error", end, { signal });
  return {
    send: (text) => {
      socket.send(text);
    },
    close: () => {
      ended.abort();
      socket.close();
    },
  };
}
