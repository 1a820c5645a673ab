import dayjs from 'dayjs';
import { DayPicker } from 'react-day-picker';
import { toNewYork } from '../../../lib/new-york';
import styles from './Calendar.module.css';

const FIRST_DAY = new Date(1900, 0, 1);
const YEARS_AHEAD = 5;

interface CalendarProps {
  selected: string;
  onSelect: (date: string) => void;
}

const toDay = (date: string) => dayjs(date).toDate();
const toText = (day: Date) => dayjs(day).format('YYYY-MM-DD');

/** Days are New York's: what counts as today is decided there, not where the reader is. */
export default function Calendar({ selected, onSelect }: CalendarProps) {
  const today = toDay(toNewYork(new Date()).date);
  const last = dayjs(today).add(YEARS_AHEAD, 'year').toDate();
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
