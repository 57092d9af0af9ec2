// The newest revision of an event in a few bytes, for viewers without a stream.
import { AppError } from "../../../../shared/app-error.ts";
import type { LatestRevision } from "../../../../shared/contract/latest-revision.ts";
import { toPath } from "../../../../shared/contract/operations.ts";
import type { RevisionRecord } from "../../../catalog/catalog.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { createJsonAnswer, strongEtag, type Answer } from "../../http/answer.ts";
import type { Handler } from "../request-input.ts";
import type { RequestCatalog } from "../turn-catalog.ts";

export function createLatest(catalog: RequestCatalog): Handler<"getLatest"> {
  const answers = new WeakMap<RevisionRecord, Answer>();
  return async ({ eventId }) => {
    const revision = await catalog.findLatestRevision(eventId);
    if (!revision) throw new AppError("not-found", "There is no published revision here.");
    let answer = answers.get(revision);
    if (answer === undefined) {
      const latest = toLatest(revision);
      answer = createJsonAnswer(latest, { etag: strongEtag(sha256Of(JSON.stringify(latest))) });
      answers.set(revision, answer);
    }
    return answer;
  };
}

function toLatest({
  eventId,
  revisionId,
  sequence,
  observedAt,
  publishedAt,
}: RevisionRecord): LatestRevision {
  const manifestUrl = toPath("getRevisionManifest", { eventId, revisionId });
  return { schemaVersion: 1, eventId, revisionId, sequence, observedAt, publishedAt, manifestUrl };
}
