import { useEffect, useRef, useState } from 'react';
import { CATEGORIES } from '../../../texts/categories';
import { marketTexts as texts } from '../../../texts/market';
import { Field, inputClass, selectClass } from '../../../ui/Field';
import type { Filters } from '../filters';
import styles from './FilterBar.module.css';

const TYPING_PAUSE_MS = 250;

interface FilterBarProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
}

export function FilterBar({ filters, onChange }: FilterBarProps) {
  return (
    <search className={styles.bar} aria-label={texts.filters}>
      <SearchField value={filters.q} onChange={(q) => onChange({ q })} />
      <Field label={texts.category}>
        {(control) => (
          <select
            {...control}
            className={selectClass}
            value={filters.category}
            onChange={(event) => onChange({ category: event.target.value })}
          >
            <option value="">{texts.allCategories}</option>
            {CATEGORIES.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </select>
        )}
      </Field>
      <ChoiceField
        label={texts.status}
        value={filters.status}
        options={texts.statuses}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceField
        label={texts.sort}
        value={filters.sort}
        options={texts.sorts}
        onChange={(sort) => onChange({ sort })}
      />
    </search>
  );
}

interface ChoiceFieldProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

function ChoiceField({ label, value, options, onChange }: ChoiceFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          className={selectClass}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/**
 * Searches when the user stops typing or leaves the field. A click on a link or the browser's Back button cancels a
 * search that has not started. Otherwise the search would overwrite the address of the new page.
 */
function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = useRef((_: string) => {});
  const underWay = useRef<string[]>([]);
  search.current = (words) => {
    underWay.current.push(words);
    onChange(words);
  };
  useEffect(() => {
    const index = underWay.current.lastIndexOf(value);
    underWay.current = index < 0 ? [] : underWay.current.slice(index + 1);
    // A value from this field's own search arrives with a delay. The user may have typed more in the meantime, so the
    // value does not replace the text. A value from a link or a button replaces the text.
    if (index < 0) setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === value) return;
    const stop = () => clearTimeout(waiting.current);
    waiting.current = setTimeout(() => search.current(typed), TYPING_PAUSE_MS);
    window.addEventListener('popstate', stop);
    return () => {
      window.removeEventListener('popstate', stop);
      stop();
    };
  }, [typed, value]);
  function leave() {
    clearTimeout(waiting.current);
    if (typed !== value) search.current(typed);
  }
  return (
    <Field label={texts.search}>
      {(control) => (
        <input
          {...control}
          type="search"
          className={inputClass}
          placeholder={texts.searchPlaceholder}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={leave}
        />
      )}
    </Field>
  );
}
