// The four ways in which repositories come and go, from checked drafts.
import { ArtifactsError } from "./artifacts-error.ts";
import { checkDraft, checkImport, toImportSource } from "./repository-drafts.ts";
import type { Lifecycle } from "./repository-lifecycle.ts";
import { checkReady } from "./ready.ts";
import { folderOf } from "./hosting-layout.ts";
import type { Repositories } from "./repositories.ts";
import type { RepositoryRow } from "./hosting-rows.ts";
import type { Store } from "./hosting-store.ts";
import type { Transfer } from "./transfer/transfer.ts";
import type { NewRepository } from "./transitions.ts";

const defaultBranch = "main";

type Making = Pick<Repositories, "create" | "fork" | "import" | "delete">;

export function createMaking(store: Store, lifecycle: Lifecycle, transfer: Transfer): Making {
  return {
    create: async (namespace, draft) => {
      checkDraft(namespace, draft);
      const branch = draft.defaultBranch ?? defaultBranch;
      return lifecycle.make({
        draft: toNew(namespace, draft, { default_branch: branch, source: null }),
        status: "creating",
      });
    },
    fork: async (namespace, name, draft, signal) => {
      checkDraft(namespace, draft);
      const original = checkReady(store.repositories.find(namespace, name));
      const source = `artifacts:${original.namespace}/${original.name}`;
      const { defaultBranchOnly = true } = draft;
      return lifecycle.make({
        draft: toNew(namespace, draft, { default_branch: original.default_branch, source }),
        status: "forking",
        fill: async (directory, aborted) => {
          const from = folderOf(store.layout, original.id);
          try {
            return await transfer.fork(from, directory, { defaultBranchOnly }, aborted);
          } finally {
            // Also when it went well: what was copied while it was taken away may not be all of it.
            checkStillThere(store, original);
          }
        },
        signal,
      });
    },
    import: async (namespace, name, draft, signal) => {
      checkDraft(namespace, { name, description: draft.description });
      checkImport(draft);
      return lifecycle.make({
        draft: toNew(
          namespace,
          { ...draft, name },
          {
            default_branch: draft.branch ?? defaultBranch,
            source: toImportSource(draft.url),
          },
        ),
        status: "importing",
        fill: async (directory, aborted) => transfer.import(draft, directory, aborted),
        signal,
      });
    },
    delete: async (namespace, name) => lifecycle.delete(namespace, name),
  };
}

/** @throws ArtifactsError `NOT_FOUND` */
function checkStillThere(store: Store, { namespace, name, id }: RepositoryRow): void {
  if (store.repositories.find(namespace, name)?.id === id) return;
  throw new ArtifactsError("NOT_FOUND", "The repository was deleted while it was being copied.");
}

function toNew(
  namespace: string,
  draft: {
    readonly name: string;
    readonly description?: string | null | undefined;
    readonly readOnly?: boolean | undefined;
  },
  rest: Pick<NewRepository, "default_branch" | "source">,
): NewRepository {
  return {
    ...rest,
    namespace,
    name: draft.name,
    description: draft.description ?? null,
    read_only: draft.readOnly === true ? 1 : 0,
  };
}
