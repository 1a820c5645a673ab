import { useConfig } from '../api/config';
import { satsTexts } from '../texts/common';
import styles from './TestSatsNote.module.css';

interface TestSatsNoteProps {
  wanted: boolean;
  /** `aside` outside of the main content, where each text needs a landmark. */
  as?: 'p' | 'aside';
}

/** The one place of a page that says that its sats are test sats. The amounts have no label of their own. */
export function TestSatsNote({ wanted, as: Element = 'p' }: TestSatsNoteProps) {
  const config = useConfig(wanted);
  return wanted && config?.isTestMode ? <Element className={styles.note}>{satsTexts.test}</Element> : null;
}
