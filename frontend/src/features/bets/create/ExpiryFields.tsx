import { CalendarDays } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { formatDateTime } from '../../../lib/dates';
import { hourLabel, offeredHours } from '../../../lib/new-york';
import type { Form } from '../../../lib/useForm';
import { timeTexts } from '../../../texts/common';
import { createTexts as texts } from '../../../texts/create';
import { Dialog } from '../../../ui/Dialog';
import { Field, inputClass, selectClass } from '../../../ui/Field';
import styles from './create.module.css';
import { type BetForm, expiryOf, hourKeptOn } from './form';
import { Picks } from './Picks';
import { PRESETS, presetExpiry } from './presets';

const Calendar = lazy(() => import(/* webpackChunkName: "day-picker" */ './Calendar'));

const QUICK_HOURS = [9, 12, 15, 18, 21];
const EVERY_HOUR = [...Array(24).keys()];

export function ExpiryFields({ form }: { form: Form<BetForm> }) {
  const { expiryDate } = form.values;
  const hours = expiryDate ? offeredHours(expiryDate, new Date()) : EVERY_HOUR;
  return (
    <>
      <DatePresets form={form} />
      <div className={styles.pair}>
        <DateField form={form} />
        <HourField form={form} hours={hours} />
      </div>
      <QuickPicks form={form} hours={hours} />
    </>
  );
}

function DatePresets({ form }: { form: Form<BetForm> }) {
  const { expiryDate, expiryHour } = form.values;
  const now = new Date();
  const picks = PRESETS.map((preset) => {
    const expiry = presetExpiry(preset, now);
    return {
      label: texts.datePresets[preset],
      pressed: expiry?.expiryDate === expiryDate && expiry.expiryHour === expiryHour,
      disabled: expiry === null,
      onPick: () => void form.setValues({ ...form.values, ...expiry }),
    };
  });
  return <Picks legend={texts.datePresetsLabel} picks={picks} />;
}

function DateField({ form }: { form: Form<BetForm> }) {
  const [open, setOpen] = useState(false);
  const { expiryDate, expiryHour } = form.values;
  function choose(date: string) {
    setOpen(false);
    const hour = hourKeptOn(date, expiryHour, new Date());
    void form.setValues({ ...form.values, expiryDate: date, expiryHour: hour });
  }
  return (
    <>
      <Field label={texts.expiryDate} error={form.errorOf('expiryDate')}>
        {({ 'aria-invalid': invalid, ...control }) => (
          <button
            {...control}
            type="button"
            data-invalid={invalid}
            className={`${inputClass} ${styles.dateButton}`}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            <span className={expiryDate ? '' : styles.empty}>
              {expiryDate ? dayWords(expiryDate) : texts.pickDate}
            </span>
            <CalendarDays size={18} aria-hidden="true" />
          </button>
        )}
      </Field>
      <Dialog open={open} title={texts.calendarTitle} onClose={() => setOpen(false)}>
        <Suspense fallback={<p>{texts.calendarLoading}</p>}>
          <Calendar selected={expiryDate} onSelect={choose} />
        </Suspense>
      </Dialog>
    </>
  );
}

/** Formats a date in UTC. The user's time zone could change the day. */
function dayWords(date: string): string {
  const options = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' } as const;
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
}

/** The hint of the hour field. The hours are in New York time, so the hint adds the expiry in the user's time zone. */
function hourHint(form: Form<BetForm>): string {
  const expiry = expiryOf(form.values);
  if (expiry === null) return texts.timeHint;
  return `${texts.timeHint} ${timeTexts.own(formatDateTime(expiry.toISOString()))}`;
}

interface HoursProps {
  form: Form<BetForm>;
  hours: readonly number[];
}

function HourField({ form, hours }: HoursProps) {
  const held = form.values.expiryHour;
  return (
    <Field
      label={texts.expiryTime}
      hint={hours.length === 0 ? texts.noHoursLeft : hourHint(form)}
      error={form.errorOf('expiryHour')}
    >
      {(control) => (
        <select {...control} {...form.field('expiryHour')} className={selectClass}>
          <option value="">{texts.pickTime}</option>
          {held !== '' && !hours.includes(Number(held)) && (
            // The chosen hour can pass while the form is open. The form still shows this hour, because a submit would
            // send it.
            <option value={held} disabled>
              {texts.hourGone(hourLabel(Number(held)))}
            </option>
          )}
          {hours.map((hour) => (
            <option key={hour} value={String(hour)}>
              {hourLabel(hour)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function QuickPicks({ form, hours }: HoursProps) {
  const picks = QUICK_HOURS.map((hour) => ({
    label: hourLabel(hour),
    pressed: form.values.expiryHour === String(hour),
    disabled: !hours.includes(hour),
    onPick: () => void form.setFieldValue('expiryHour', String(hour)),
  }));
  return <Picks legend={texts.quickPicks} picks={picks} />;
}
