// An answer that a panel shows for as long as its question stays the same: asked when it is first shown and whenever the
// question changes; what came too late for another question is dropped.
import { useEffect, useState } from "react";
import type { ActionName } from "../../shared/contract/action-names.ts";
import type { ActionInput, ActionOutput } from "../../shared/contract/actions.ts";
import { useViewer } from "../viewer-context.ts";

export interface Answer<Name extends ActionName> {
  /** Of this question, or while it is being asked of the one before; undefined before the first. */
  readonly value: ActionOutput<Name> | undefined;
  readonly problem: string | undefined;
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
  useEffect(() => {
    if (question === undefined) return undefined;
    let dropped = false;
    void actions.ask(name, JSON.parse(question) as ActionInput<Name>).then((outcome) => {
      if (dropped) return;
      setAnswer(
        "ok" in outcome
          ? { value: outcome.ok, problem: undefined }
          : { value: undefined, problem: outcome.problem.detail },
      );
    });
    return () => {
      dropped = true;
    };
  }, [actions, name, question, version]);
  return answer;
}
