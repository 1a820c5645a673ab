import { DayPicker } from 'react-day-picker';
import { toNewYork } from '../../../lib/new-york';
import styles from './Calendar.module.css';

const FIRST_DAY = new Date(1900, 0, 1);
const YEARS_AHEAD = 5;

interface CalendarProps {
  selected: string;
  onSelect: (date: string) => void;
}

/** Converts a date to midnight in the user's time zone, because the day picker expects days in this form. */
function toDay(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day);
}

function toText(day: Date): string {
  const [month, date] = [day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${day.getFullYear()}-${month}-${date}`;
}

/** The calendar counts days in New York time. 'Today' is the current date in New York, not in the user's time zone. */
export default function Calendar({ selected, onSelect }: CalendarProps) {
  const today = toDay(toNewYork(new Date()).date);
  const last = new Date(today.getFullYear() + YEARS_AHEAD, today.getMonth(), today.getDate());
  return (
    <DayPicker
      mode="single"
      required
      selected={selected ? toDay(selected) : undefined}
      defaultMonth={selected ? toDay(selected) : today}
      onSelect={(day: Date) => onSelect(toText(day))}
      today={today}
      startMonth={today}
      endMonth={last}
      disabled={[{ before: today }, { before: FIRST_DAY }, { after: last }]}
      classNames={styles}
    />
  );
}
