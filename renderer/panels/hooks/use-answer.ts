// The answer to a question of a panel, asked again when the question or its version changes. Late answers to an earlier
// question are dropped.
import { useEffect, useRef, useState } from "react";
import type { ActionName } from "../../../shared/contract/action-names.ts";
import type { ActionInput, ActionOutput } from "../../../shared/contract/actions.ts";
import { useViewer } from "../../viewer-context.ts";

export interface Answer<Name extends ActionName> {
  /** Newest answer; while a new question is pending, that to the one before. */
  readonly value: ActionOutput<Name> | undefined;
  readonly problem: string | undefined;
}

interface Wanted {
  readonly question: string;
  readonly version: number;
}

/** Asks nothing if `input` is undefined. A new `version` asks the same question again. */
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
    // While an answer is pending, version changes only cause one more request after it.
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
  // An unmounted panel wants no answer.
  useEffect(
    () => () => {
      wanted.current = undefined;
    },
    [],
  );
  return answer;
}
