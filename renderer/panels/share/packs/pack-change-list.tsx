// The changes between two versions of a pack, as a short list.
import { useState, type ReactNode } from "react";
import type { Pack, PackComparison, PackVersion } from "../../../../shared/contract/packs.ts";
import { changeRowWords, countsWords } from "../../../text/pack-text.ts";
import { instantWords } from "../../../text/format.ts";
import { toChangeRows, type ChangeRow } from "../../../state/acting/pack-changes.ts";
import { toVersionRange, type VersionRange } from "../../../state/slices/packs-slice.ts";
import { useViewerState } from "../../../viewer-context.ts";
import { Choice } from "../../controls/fields.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";

export function PackChanges({ packs }: { readonly packs: readonly Pack[] }): ReactNode {
  const selectedId = useViewerState((state) => state.selectedEventId);
  const [chosenId, setChosenId] = useState<string>();
  const pack = packs.find(({ eventId }) => eventId === (chosenId ?? selectedId)) ?? packs[0];
  if (pack === undefined) return <p>No events to compare yet</p>;
  return (
    <>
      <Choice name="Pack" value={pack.eventId} onChange={setChosenId}>
        {packs.map(({ eventId, label }) => (
          <option key={eventId} value={eventId}>
            {label}
          </option>
        ))}
      </Choice>
      <Versions key={pack.eventId} pack={pack} />
    </>
  );
}

function Versions({ pack }: { readonly pack: Pack }): ReactNode {
  const { eventId, latestSequence } = pack;
  const listed = useAnswer("packs.versions", { eventId }, latestSequence);
  const [chosen, setChosen] = useState<Partial<VersionRange>>({});
  const versions = listed.value?.versions ?? [];
  const range = toVersionRange(versions, chosen);
  const compared = useAnswer("packs.compare", range && { eventId, ...range }, latestSequence);
  if (listed.problem !== undefined) return <p className="bad">{listed.problem}</p>;
  if (listed.value === undefined) return <p>Reading versions…</p>;
  if (range === undefined)
    return (
      <p>
        This pack has {versions.length || "no"} version{versions.length === 1 ? "" : "s"}; two are needed.
      </p>
    );
  return (
    <>
      <Choice
        name="From"
        spokenName="From revision, with its observed time"
        value={range.from}
        onChange={(sequence) => {
          setChosen({ ...range, from: Number(sequence) });
        }}
      >
        {versions.filter(({ sequence }) => sequence < range.to).map(toOption)}
      </Choice>
      <Choice
        name="To"
        spokenName="To revision, with its observed time"
        value={range.to}
        onChange={(sequence) => {
          setChosen({ ...range, to: Number(sequence) });
        }}
      >
        {versions.slice(1).map(toOption)}
      </Choice>
      {compared.problem !== undefined && <p className="bad">{compared.problem}</p>}
      {compared.value && <Changes comparison={compared.value} />}
    </>
  );
}

function toOption({ sequence, observedAt }: PackVersion): ReactNode {
  return (
    <option key={sequence} value={sequence}>
      {sequence} · {instantWords(observedAt)}
    </option>
  );
}

function Changes({ comparison }: { readonly comparison: PackComparison }): ReactNode {
  const { counts, changes, from } = comparison;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <h2 aria-live="polite">{countsWords(counts)}</h2>
      {changes.length < total && (
        <p className="caption">
          Newest {changes.length} of {total}
        </p>
      )}
      <ol className="change-list" aria-label={`Changes since revision ${from}`}>
        {toChangeRows(changes).map((row) => (
          <Change key={row.kind === "new" ? row.firstSequence : row.change.sequence} row={row} />
        ))}
      </ol>
    </>
  );
}

function Change({ row }: { readonly row: ChangeRow }): ReactNode {
  const { revisions, what, when } = changeRowWords(row);
  const isLate = row.kind === "single" && row.change.kind === "correction" && row.change.late;
  return (
    <li className="change">
      <span className="change-revisions">{revisions}</span>
      <span className={isLate ? "warning" : undefined}>{what}</span>
      <span className="change-when caption">{when}</span>
    </li>
  );
}
