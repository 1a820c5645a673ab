import { useEffect, useRef, useState } from 'react';
import type { WordingRemark } from '../../../api/types';
import { SHORTEST_TITLE } from '../../../lib/limits';
import { logFailure } from '../../../lib/log';
import type { Form } from '../../../lib/useForm';
import type { BetForm } from '../create/form';
import { checkWording } from './api';

/** A check starts when the user has not changed the form for this many milliseconds. */
const PAUSE_MS = 1200;

/** Whether the form has enough text for a check: a title and both options. */
function isWorthChecking({ title, optionA, optionB }: BetForm): boolean {
  return [...title.trim()].length >= SHORTEST_TITLE && optionA.trim() !== '' && optionB.trim() !== '';
}

interface Checked {
  remarks: WordingRemark[];
  /** The form values that were checked. */
  values: BetForm;
}

interface WordingState {
  remarks: WordingRemark[];
  amend: (remark: WordingRemark) => void;
}

/** Checks the bet's wording when the user stops typing. The check does not block the form. A failure is only logged. */
export function useWording(form: Form<BetForm>): WordingState {
  const [checked, setChecked] = useState<Checked | null>(null);
  const round = useRef(0);
  const pause = useRef(PAUSE_MS);
  const { values } = form;
  // Only a change of these fields starts another check of the wording.
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

  // A suggestion replaces the whole text of a field. If the field has changed since the check, the suggestion is
  // dropped, because it would overwrite the change.
  const standing = checked?.remarks.filter(
    ({ suggestion }) => values[suggestion.field] === checked.values[suggestion.field],
  );

  function amend({ suggestion }: WordingRemark) {
    // The user has clicked a button and is not typing, so the next check starts without a pause.
    pause.current = 0;
    void form.setFieldValue(suggestion.field, suggestion.value);
  }

  return { remarks: standing ?? [], amend };
}
