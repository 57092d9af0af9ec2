// The process of a recorded peer: bare node:http that serves recorded bytes and headers from memory. It compares the
// path and the entity tag, nothing else.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedAnswer {
  readonly path: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

process.on("message", (recorded: readonly RecordedAnswer[]) => {
  const answers = new Map(
    recorded.map(({ path, etag, headers, body }) => {
      const kept = Object.fromEntries(
        Object.entries(headers).filter(([name]) => !/^content-(type|length)$/.test(name)),
      );
      return [path, { etag, headers, kept, body }] as const;
    }),
  );
  const server = createServer((request, response) => {
    const answer = answers.get(request.url!)!;
    if (request.headers["if-none-match"] === answer.etag) {
      response.writeHead(304, answer.kept).end();
      return;
    }
    response.writeHead(200, answer.headers).end(answer.body);
  });
  server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));
});
