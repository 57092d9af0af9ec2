// Why is it old? The feeds, the link, the sources' own state, each in words, and what the viewer holds.
import type { ReactNode } from "react";
import type { DataProductStatus } from "../../../shared/contract/index.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { byteSize, utcClock, utcDay } from "../../text/format.ts";
import { selectLink } from "../../state/freshness.ts";
import { assetStatusWords, problemWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { FeedStatusPanel } from "./feed-status-panel.tsx";

export function SourcesFlyout(): ReactNode {
  const { session } = useViewer();
  const link = useViewerState(selectLink);
  const sources = useViewerState((state) => state.sources);
  const problem = useViewerState((state) => state.history.problem ?? state.events.problem);
  const cache = useViewerState((state) => state.cache);
  return (
    <section className="flyout sources-flyout" aria-label="Sources and connection">
      <div className="flyout-scroll">
        <FeedStatusPanel />
        {problem && link !== "offline" && (
          <p className="late">
            {problemWords[problem].title}. {problemWords[problem].advice}
          </p>
        )}
        <h2>Newest source files</h2>
        {sources.problem && <p className="late">{problemWords[sources.problem].title}.</p>}
        {sources.phase === "ready" && sources.products.length === 0 && (
          <p>No source file is recorded. That does not mean that there is no weather.</p>
        )}
        {sources.products.map((product) => (
          <SourceRow key={product.product_id} product={product} />
        ))}
        <h2>In this viewer</h2>
        <p>
          {cache
            ? `${cache.frames} frames, ${byteSize(cache.usedBytes)} of ${byteSize(cache.budgetBytes)}`
            : "No frames yet"}
        </p>
        <button type="button" className="button" onClick={session.retry}>
          Read again now
        </button>
      </div>
    </section>
  );
}

function SourceRow({ product }: { product: DataProductStatus }): ReactNode {
  const failed = product.status === "failed";
  return (
    <dl className="source-row">
      <dt>{getProduct(product.product_id).label}</dt>
      <dd className={failed ? "bad" : undefined}>{assetStatusWords[product.status]}</dd>
      <dd className="quiet source-times">
        <span>observed</span>
        <span>{instantOr(product.observed_at)}</span>
      </dd>
      <dd className="quiet source-times">
        <span>completed</span>
        <span>{instantOr(product.completed_at)}</span>
      </dd>
      {product.error_message !== null && <dd className="source-error">{product.error_message}</dd>}
    </dl>
  );
}

function instantOr(instant: string | null): string {
  if (instant === null) return "not known";
  const instantMs = Date.parse(instant);
  return `${utcDay(instantMs)} ${utcClock(instantMs)} UTC`;
}
