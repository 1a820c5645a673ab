import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { CURRENCIES, currencyName } from '../../../lib/money';
import { SEARCH_FRAGMENT } from '../../../lib/paths';
import { CATEGORIES } from '../../../texts/categories';
import { marketTexts as texts } from '../../../texts/market';
import { Field, inputClass, selectClass } from '../../../ui/Field';
import { countSet, type Filters, SORTS, STATUSES } from '../filters';
import styles from './FilterBar.module.css';

const TYPING_PAUSE_MS = 250;

interface FilterBarProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
}

const CATEGORY_CHOICES = [
  { value: '', label: texts.allCategories },
  ...CATEGORIES.map((category) => ({ value: category, label: category })),
];
const CURRENCY_CHOICES = [
  { value: '', label: texts.allCurrencies },
  ...CURRENCIES.map((currency) => ({ value: currency, label: currencyName(currency) })),
];
const STATUS_CHOICES = STATUSES.map((value) => ({ value, label: texts.statuses[value] }));
const SORT_CHOICES = SORTS.map((value) => ({ value, label: texts.sorts[value] }));

/** The search and the filters. On a phone, the filters are folded behind a button next to the search. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const set = countSet(filters);
  return (
    <search className={styles.bar} aria-label={texts.filters}>
      <SearchField value={filters.q} onChange={(q) => onChange({ q })} />
      <button
        type="button"
        className={styles.toggle}
        aria-label={texts.moreLabel(set)}
        aria-expanded={open}
        aria-controls={panel}
        data-set={set > 0}
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal size={18} aria-hidden="true" />
        {texts.more}
        {set > 0 && <span className={styles.count}>{set}</span>}
      </button>
      <div id={panel} className={styles.choices} data-open={open}>
        <Choices filters={filters} onChange={onChange} />
      </div>
    </search>
  );
}

function Choices({ filters, onChange }: FilterBarProps) {
  return (
    <>
      <ChoiceField
        label={texts.category}
        value={filters.category}
        options={CATEGORY_CHOICES}
        onChange={(category) => onChange({ category })}
      />
      <ChoiceField
        label={texts.currency}
        value={filters.currency}
        options={CURRENCY_CHOICES}
        onChange={(currency) => onChange({ currency })}
      />
      <ChoiceField
        label={texts.status}
        value={filters.status}
        options={STATUS_CHOICES}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceField
        label={texts.sort}
        value={filters.sort}
        options={SORT_CHOICES}
        onChange={(sort) => onChange({ sort })}
      />
    </>
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
  const input = useRef<HTMLInputElement>(null);
  // The shortcut `/` opens the marketplace with this fragment.
  useEffect(() => {
    if (window.location.hash === SEARCH_FRAGMENT) input.current?.focus();
  }, []);
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
          ref={input}
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
