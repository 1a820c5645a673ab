import { useEffect, useRef, useState } from 'react';
import type { WordingRemark } from '../../../api/types';
import { logFailure } from '../../../lib/log';
import type { BetForm } from '../create/form';
import type { BetFormik } from '../create/useBetForm';
import { checkWording } from './api';

/** The author has paused for so long. */
const PAUSE_MS = 1200;
const LEAST_TITLE = 5;

/** Whether there is a bet to look at yet: a title and both outcomes. */
function isWorthChecking({ title, optionA, optionB }: BetForm): boolean {
  return [...title.trim()].length >= LEAST_TITLE && optionA.trim() !== '' && optionB.trim() !== '';
}

interface Checked {
  remarks: WordingRemark[];
  /** What the form said when it was looked at. */
  values: BetForm;
}

export interface WordingState {
  remarks: WordingRemark[];
  amend: (remark: WordingRemark) => void;
}

/**
 * Looks at the wording whenever its author pauses. It is a help and no hurdle: while it is on its way nothing waits,
 * and where it fails nobody hears of it.
 */
export function useWording(form: BetFormik): WordingState {
  const [checked, setChecked] = useState<Checked | null>(null);
  const round = useRef(0);
  const pause = useRef(PAUSE_MS);
  const { values } = form;
  // Only what the check reads starts another one.
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

  // An amendment is a field's whole text: once the field says something else, it would overwrite that.
  const standing = checked?.remarks.filter(
    ({ suggestion }) => values[suggestion.field] === checked.values[suggestion.field],
  );

  function amend({ suggestion }: WordingRemark) {
    // Nobody is typing now, and the next remark may be waiting behind this one.
    pause.current = 0;
    void form.setFieldValue(suggestion.field, suggestion.value);
  }

  return { remarks: standing ?? [], amend };
}
