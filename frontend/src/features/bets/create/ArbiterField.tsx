import { useEffect, useId, useState } from 'react';
import { keyOf } from '../../../api/keys';
import { useApi } from '../../../api/useApi';
import type { Form } from '../../../lib/useForm';
import { arbiterTexts as texts } from '../../../texts/arbiter';
import { commonTexts } from '../../../texts/common';
import { Field, inputClass } from '../../../ui/Field';
import type { BetForm } from './form';

const SEARCH_DELAY_MS = 250;
const USERNAME_START = /^\w{1,20}$/;

/** The field for the username of the arbiter. It suggests users whose usernames begin with the typed text. */
export function ArbiterField({ form }: { form: Form<BetForm> }) {
  const listId = useId();
  const beginning = useSettled(form.values.arbiter.trim());
  const { data: found } = useApi(
    USERNAME_START.test(beginning) ? keyOf('/api/users/search', { q: beginning }) : null,
  );
  return (
    <Field
      label={texts.label}
      optional={commonTexts.optional}
      hint={texts.hint}
      error={form.errorOf('arbiter')}
    >
      {(control) => (
        <>
          <input
            {...control}
            {...form.field('arbiter')}
            className={inputClass}
            type="text"
            list={listId}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <datalist id={listId}>
            {found?.map((user) => (
              <option key={user.id} value={user.username} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** The value, once it has not changed for a moment. Without this, each letter would cause a search. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
