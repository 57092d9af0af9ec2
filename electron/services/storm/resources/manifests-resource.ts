// The latest manifest of an event and the immutable manifest of one revision: the stored bytes, exactly as published.
import { AppError } from "../../../../shared/app-error.ts";
import type { RevisionRecord } from "../../../catalog/catalog.ts";
import { cacheRules, createAnswer, jsonType, strongEtag, type Answer } from "../../http/answer.ts";
import type { Handlers } from "../request-input.ts";
import type { CheckManifest } from "../stored-manifest.ts";
import type { RequestCatalog } from "../turn-catalog.ts";

export function createManifests(
  catalog: RequestCatalog,
  checkManifest: CheckManifest,
): Pick<Handlers, "getLatestManifest" | "getRevisionManifest"> {
  const toLatest = createManifestAnswers(checkManifest, cacheRules.revalidate);
  const toImmutable = createManifestAnswers(checkManifest, cacheRules.immutable);
  return {
    getLatestManifest: async ({ eventId }) => toLatest(await catalog.findLatestRevision(eventId)),
    getRevisionManifest: async ({ eventId, revisionId }) =>
      toImmutable(await catalog.findRevision(eventId, revisionId)),
  };
}

function createManifestAnswers(
  checkManifest: CheckManifest,
  cache: string,
): (revision: RevisionRecord | undefined) => Answer {
  const answers = new WeakMap<RevisionRecord, Answer>();
  return (revision) => {
    if (!revision) throw new AppError("not-found", "There is no published revision here.");
    const kept = answers.get(revision);
    if (kept) return kept;
    if (!checkManifest(revision))
      throw new AppError("stored-data-invalid", "The stored manifest is damaged.");
    const answer = createAnswer({
      body: revision.manifest,
      type: jsonType,
      etag: strongEtag(revision.manifestSha256),
      cache,
    });
    answers.set(revision, answer);
    return answer;
  };
}
