// The flyout that explains the age of the picture: feed, connection, files found last; and the memory cache.
import type { ReactNode } from "react";
import type { DataProductStatus } from "../../../shared/contract/index.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { findFrameBudget, findFrameLimitsMib, frameLimitsMib } from "../../platform/viewer-limits.ts";
import { selectFilesFound } from "../../state/reading/feed-status.ts";
import { selectAllCaches } from "../../state/slices/pane-slice.ts";
import { selectLink } from "../../state/reading/freshness.ts";
import { byteSize, clockDay, timeWithZone } from "../../text/format.ts";
import { assetStatusWords, problemWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Choice } from "../controls/fields.tsx";
import { FeedStatus } from "./feed-facts.tsx";

export function Sources(): ReactNode {
  const { session } = useViewer();
  const link = useViewerState(selectLink);
  const problem = useViewerState((state) => state.history.problem ?? state.events.problem);
  const cache = useViewerState(selectAllCaches);
  return (
    <>
      <FeedStatus />
      {problem && link !== "offline" && (
        <p className="warning">
          {problemWords[problem].title}. {problemWords[problem].advice}
        </p>
      )}
      <FilesFound />
      <h2>Memory cache</h2>
      <p>
        {cache
          ? `${cache.frames} ${cache.frames === 1 ? "frame" : "frames"}, ${byteSize(cache.usedBytes)} of ${byteSize(cache.budgetBytes)}`
          : "No frames yet"}
      </p>
      <CacheLimit />
      <button type="button" className="button" onClick={session.retry}>
        Refresh
      </button>
    </>
  );
}

/** The limit of the memory for frames; a change takes effect at once, and is remembered. */
function CacheLimit(): ReactNode {
  const { store } = useViewer();
  const limit = useViewerState((state) => state.frameLimitMib);
  const { memoryBytes, gpuBytes } = findFrameBudget();
  return (
    <Choice
      name="Limit"
      spokenName="Limit of the memory cache"
      value={limit ?? ""}
      onChange={(value) => {
        store.getState().setFrameLimitMib(frameLimitsMib.find((mib) => String(mib) === value));
      }}
    >
      <option value="">Automatic ({byteSize(memoryBytes + gpuBytes)})</option>
      {findFrameLimitsMib().map((mib) => (
        <option key={mib} value={mib}>
          {byteSize(mib * 2 ** 20)}
        </option>
      ))}
    </Choice>
  );
}

/** Lists the files found last, which after a late arrival or an old event are not the newest observations. */
function FilesFound(): ReactNode {
  const found = useViewerState(selectFilesFound);
  if (!found) return null;
  const { phase, products, problem } = found;
  return (
    <>
      <h2>Files found last</h2>
      {problem && <p className="warning">{problemWords[problem].title}.</p>}
      {phase === "ready" && products.length === 0 && (
        <p>No source files recorded yet. That does not mean there is no weather.</p>
      )}
      {products.length > 0 && <p className="caption">In any event, by arrival, not by time of observation</p>}
      {products.map((product) => (
        <SourceRow key={product.product_id} product={product} />
      ))}
    </>
  );
}

function SourceRow({ product }: { readonly product: DataProductStatus }): ReactNode {
  return (
    <dl className="source-row">
      <dt>{getProduct(product.product_id).label}</dt>
      <dd className={product.status === "failed" ? "bad" : undefined}>{assetStatusWords[product.status]}</dd>
      <dd className="quiet source-times">
        <span>Observed</span>
        <span>{instantOr(product.observed_at)}</span>
      </dd>
      <dd className="quiet source-times">
        <span>Completed</span>
        <span>{instantOr(product.completed_at)}</span>
      </dd>
      {product.error_message !== null && <dd className="source-error">{product.error_message}</dd>}
    </dl>
  );
}

function instantOr(instant: string | null): string {
  if (instant === null) return "Unknown";
  const instantMs = Date.parse(instant);
  return `${clockDay(instantMs)} ${timeWithZone(instantMs)}`;
}
