import { useEffect, useRef, useState } from 'react';
import type { WordingRemark } from '../../../api/types';
import { logFailure } from '../../../lib/log';
import type { Form } from '../../../lib/useForm';
import type { BetForm } from '../create/form';
import { checkWording } from './api';

/** The pause in the author's typing that starts a check. */
const PAUSE_MS = 1200;
const LEAST_TITLE = 5;

/** Whether there is enough to check: a title and both options. */
function isWorthChecking({ title, optionA, optionB }: BetForm): boolean {
  return [...title.trim()].length >= LEAST_TITLE && optionA.trim() !== '' && optionB.trim() !== '';
}

interface Checked {
  remarks: WordingRemark[];
  /** The values of the form at the check. */
  values: BetForm;
}

export interface WordingState {
  remarks: WordingRemark[];
  amend: (remark: WordingRemark) => void;
}

/** Checks the wording whenever its author pauses. The check blocks nothing, and its failure is only logged. */
export function useWording(form: Form<BetForm>): WordingState {
  const [checked, setChecked] = useState<Checked | null>(null);
  const round = useRef(0);
  const pause = useRef(PAUSE_MS);
  const { values } = form;
  // Only a change of these fields starts another check.
  const { title, description, optionA, optionB, category, sourceUrl, expiryDate, expiryHour } = values;
  const wording = JSON.stringify([
    title,
    description,
    optionA,
    optionB,
    category,
    sourceUrl,
    expiryDate,
    expiryHour,
  ]);
  const latest = useRef(values);
  latest.current = values;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the wording stands for the values it is made of
  useEffect(() => {
    round.current += 1;
    const mine = round.current;
    if (!isWorthChecking(latest.current)) {
      setChecked(null);
      return;
    }
    const timer = setTimeout(async () => {
      const looked = latest.current;
      try {
        const remarks = await checkWording(looked);
        if (mine === round.current) setChecked({ remarks, values: looked });
      } catch (error) {
        logFailure('The wording was not checked', error);
      }
    }, pause.current);
    pause.current = PAUSE_MS;
    return () => clearTimeout(timer);
  }, [wording]);

  // A suggestion replaces the whole text of a field. It is dropped if the field has changed since, because it would
  // overwrite the change.
  const standing = checked?.remarks.filter(
    ({ suggestion }) => values[suggestion.field] === checked.values[suggestion.field],
  );

  function amend({ suggestion }: WordingRemark) {
    // The user is not typing now, so the next check starts without a pause. It may find the next remark.
    pause.current = 0;
    void form.setFieldValue(suggestion.field, suggestion.value);
  }

  return { remarks: standing ?? [], amend };
}
