// The state of the feeds: the reason why nothing newer is on screen, the facts of the selected feed, one line per
// other feed.
import type { ReactNode } from "react";
import type { FeedHealth, FeedProductHealth } from "../../../shared/contract/feed-health.ts";
import { clockDay, clockTime, clockZoneName, duration, timeWithZone } from "../../text/format.ts";
import { selectFeed, selectFeedStatus } from "../../state/reading/feed-status.ts";
import {
  feedStateWords,
  feedStatusWords,
  layerShortNames,
  pastSentence,
  problemWords,
} from "../../text/state-text.ts";
import { useViewerState } from "../../viewer-context.ts";

export function FeedStatus(): ReactNode {
  const { kind, isPast } = useViewerState(selectFeedStatus);
  const feed = useViewerState(selectFeed);
  const problem = useViewerState((state) => state.feeds.problem);
  const { headline, sentence } = feedStatusWords[kind];
  return (
    <>
      <h2>{headline}</h2>
      <p>{sentence}</p>
      {isPast && <p className="past-words">{pastSentence}</p>}
      {problem && <p className="warning">{problemWords[problem].title}. The facts below are from before.</p>}
      {feed && <FeedFacts feed={feed} />}
      <OtherFeeds chosen={feed} />
    </>
  );
}

function FeedFacts({ feed }: { readonly feed: FeedHealth }): ReactNode {
  return (
    <section className="feed-facts" aria-label="Feed">
      <h2>Source: {sourceWords(feed.source)}</h2>
      {feed.linkProblem !== null && <p className="bad">{feed.linkProblem}</p>}
      <table className="feed-table">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Product</span>
            </th>
            <th scope="col">At source</th>
            <th scope="col">Here</th>
            <th scope="col">Delay</th>
          </tr>
        </thead>
        <tbody>
          {feed.products.map((product) => (
            <ProductRow key={product.productId} product={product} />
          ))}
        </tbody>
      </table>
      {feed.products.map((product) => (
        <LastFailure key={product.productId} product={product} />
      ))}
      <Counts feed={feed} />
      <Checks feed={feed} />
    </section>
  );
}

function ProductRow({ product }: { readonly product: FeedProductHealth }): ReactNode {
  const { newestListedAt, newestPublishedAt, arrivalDelayMs } = product;
  const isBehind = newestListedAt !== null && newestListedAt !== newestPublishedAt;
  return (
    <tr>
      <th scope="row">{layerShortNames[product.productId]}</th>
      <td>
        <Moment instant={newestListedAt} />
      </td>
      <td className={isBehind ? "warning" : undefined}>
        <Moment instant={newestPublishedAt} />
      </td>
      <td>{arrivalDelayMs === null ? "–" : duration(arrivalDelayMs)}</td>
    </tr>
  );
}

/** A time, with its day if that is not today. */
function Moment({ instant }: { readonly instant: string | null }): ReactNode {
  const today = useViewerState(({ nowMs }) => clockDay(nowMs));
  if (instant === null) return "–";
  const day = clockDay(Date.parse(instant));
  return (
    <time dateTime={instant} title={`${day} ${clockZoneName(Date.parse(instant))}`}>
      {day !== today && <span className="quiet">{day.replace(/ \d+$/, "")} </span>}
      {clockOr(instant)}
    </time>
  );
}

function LastFailure({ product }: { readonly product: FeedProductHealth }): ReactNode {
  const { lastFailure, productId } = product;
  if (lastFailure === null) return null;
  const { at, observedAt, message } = lastFailure;
  return (
    <p className="feed-failure">
      <span className="quiet">
        {layerShortNames[productId]}
        {observedAt !== null && (
          <>
            {" "}
            of <Moment instant={observedAt} />
          </>
        )}{" "}
        failed at <Moment instant={at} />:
      </span>{" "}
      {message}
    </p>
  );
}

function Counts({ feed }: { readonly feed: FeedHealth }): ReactNode {
  const { counts, pendingWindows } = feed;
  const facts: readonly (readonly [name: string, count: number, tone?: string | undefined])[] = [
    ["Received", counts.received],
    ["Published", counts.published],
    ["Corrections", counts.corrections],
    ["Layers added", counts.completions],
    ["Late arrivals", counts.backfills],
    ["Duplicates", counts.duplicates],
    ["Failed", counts.failed, counts.failed > 0 ? "bad" : undefined],
    ["Gaps", counts.gaps, counts.gaps > 0 ? "warning" : undefined],
    ["Pending", pendingWindows],
  ];
  return (
    <dl className="feed-counts" aria-label="Counts since the feed started">
      {facts.map(([name, count, tone]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={tone}>{count}</dd>
        </div>
      ))}
    </dl>
  );
}

function Checks({ feed }: { readonly feed: FeedHealth }): ReactNode {
  const { lastCheckedAt, lastReachedAt, nextCheckAt } = feed;
  return (
    <p className="caption">
      Last check {clockOr(lastCheckedAt)}
      {lastReachedAt !== lastCheckedAt && `, last response ${clockOr(lastReachedAt)}`}, next check{" "}
      {nextCheckAt === null ? "–" : timeWithZone(Date.parse(nextCheckAt))}
    </p>
  );
}

function OtherFeeds({ chosen }: { readonly chosen: FeedHealth | undefined }): ReactNode {
  const others = useViewerState((state) => state.feeds.list.filter((feed) => feed !== chosen));
  const events = useViewerState((state) => state.events.list);
  if (others.length === 0) return null;
  return (
    <>
      <h2>{chosen ? "Other feeds" : "Feeds"}</h2>
      <ul className="other-feeds">
        {others.map((feed) => (
          <li key={`${feed.source} ${feed.eventId}`}>
            <span>
              {events.find(({ id }) => id === feed.eventId)?.label ??
                feed.eventId ??
                sourceWords(feed.source)}
            </span>
            <span className="quiet">{feedStateWords[feed.state]}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** `folder "feed"` */
function sourceWords(source: string): string {
  return source === "noaa"
    ? "NOAA public bucket"
    : source.replace(/^(bucket|mirror|folder):(.*)$/, '$1 "$2"');
}

function clockOr(instant: string | null): string {
  return instant === null ? "–" : clockTime(Date.parse(instant));
}
