// The audit trail of repositories: what Git did to them, and reading it back.
import type { RepositoryRecord } from "./hosting-records.ts";
import type { Repositories } from "./repositories.ts";
import { toAuditEntry } from "./hosting-rows.ts";
import { settle } from "./settle.ts";
import type { Store } from "./hosting-store.ts";

type Trail = Pick<Repositories, "notePush" | "noteFetch" | "listAudit">;

export function createTrail(store: Store): Trail {
  const note = (
    { namespace, name }: RepositoryRecord,
    kind: "pushed" | "fetched",
    tokenId: string | null,
    detail: string | null,
  ): void => {
    store.audit.add({ namespace, name, atMs: store.nowMs(), kind, tokenId, detail });
  };
  return {
    notePush: (repository, tokenId, detail) =>
      settle(() => {
        store.transaction(() => {
          store.repositories.notePush(repository.id, store.nowMs());
          note(repository, "pushed", tokenId, detail);
        });
      }),
    noteFetch: (repository, tokenId) =>
      settle(() => {
        // Not worth waiting for the disk: it changes nothing but the trail.
        store.transaction(() => {
          note(repository, "fetched", tokenId, null);
        }, "lazy");
      }),
    listAudit: (namespace, name, limit) =>
      settle(() => store.audit.list(namespace, name, limit).map(toAuditEntry)),
  };
}
