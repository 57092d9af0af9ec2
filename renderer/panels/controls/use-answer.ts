// An answer that a panel shows for as long as its question stays the same: asked when it is first shown and whenever the
// question changes; what came too late for another question is dropped.
import { useEffect, useRef, useState } from "react";
import type { ActionName } from "../../../shared/contract/action-names.ts";
import type { ActionInput, ActionOutput } from "../../../shared/contract/actions.ts";
import { useViewer } from "../../viewer-context.ts";

export interface Answer<Name extends ActionName> {
  /** Of this question, or while it is being asked of the one before; undefined before the first. */
  readonly value: ActionOutput<Name> | undefined;
  readonly problem: string | undefined;
}

interface Wanted {
  readonly question: string;
  readonly version: number;
}

/**
 * `input` undefined asks nothing. `version` changes when the same question may have another answer.
 */
export function useAnswer<Name extends ActionName>(
  name: Name,
  input: ActionInput<Name> | undefined,
  version: number,
): Answer<Name> {
  const { actions } = useViewer();
  const [answer, setAnswer] = useState<Answer<Name>>({ value: undefined, problem: undefined });
  const question = input === undefined ? undefined : JSON.stringify(input);
  const wanted = useRef<Wanted>(undefined);
  const asking = useRef<string>(undefined);
  useEffect(() => {
    wanted.current = question === undefined ? undefined : { question, version };
    // A slow answer is waited for, however often its version changes meanwhile; then the question is asked once more.
    if (question === undefined || asking.current === question) return;
    const ask = (askedVersion: number): void => {
      asking.current = question;
      void actions.ask(name, JSON.parse(question) as ActionInput<Name>).then((outcome) => {
        if (asking.current !== question) return;
        asking.current = undefined;
        const { current } = wanted;
        if (current?.question !== question) return;
        setAnswer(
          "ok" in outcome
            ? { value: outcome.ok, problem: undefined }
            : { value: undefined, problem: outcome.problem.detail },
        );
        if (current.version !== askedVersion) ask(current.version);
      });
    };
    ask(version);
  }, [actions, name, question, version]);
  // Whoever is gone wants nothing.
  useEffect(
    () => () => {
      wanted.current = undefined;
    },
    [],
  );
  return answer;
}
