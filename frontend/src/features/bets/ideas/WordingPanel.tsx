import { useRef } from 'react';
import type { WordingRemark } from '../../../api/types';
import type { Form } from '../../../lib/useForm';
import { createTexts } from '../../../texts/create';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import type { BetForm } from '../create/form';
import styles from './ideas.module.css';
import { useWording } from './useWording';

const texts = createTexts.wording;

/** Lists problems with the bet's wording. One click applies a suggestion. The user can submit without any change. */
export function WordingPanel({ form }: { form: Form<BetForm> }) {
  const panel = useRef<HTMLDivElement>(null);
  const { remarks, amend } = useWording(form);
  return (
    <div ref={panel} tabIndex={-1} className={styles.panel} data-empty={remarks.length === 0}>
      <p role="status" className="visually-hidden">
        {remarks.length > 0 ? texts.found(remarks.length) : ''}
      </p>
      {remarks.length > 0 && (
        <Card title={texts.title} intro={texts.lead}>
          <ul className={styles.remarks}>
            {remarks.map((remark) => (
              <Remark
                key={remark.problem + remark.suggestion.field}
                remark={remark}
                before={form.values[remark.suggestion.field]}
                onAmend={() => {
                  amend(remark);
                  // The click removes the remark and its button, so the focus moves to the panel.
                  panel.current?.focus({ preventScroll: true });
                }}
              />
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

interface RemarkProps {
  remark: WordingRemark;
  before: string;
  onAmend: () => void;
}

function Remark({ remark, before, onAmend }: RemarkProps) {
  const { field, value } = remark.suggestion;
  const label = texts.fields[field];
  const added = before.trim() !== '' && value.startsWith(before.trim());
  const change = added ? value.slice(before.trim().length).trim() : value;
  return (
    <li className={styles.remark}>
      <div>
        <p className={styles.problem}>{remark.problem}</p>
        <p className={styles.change}>
          {added ? texts.adds(label) : texts.becomes(label)} <q>{change}</q>
        </p>
      </div>
      <Button small onClick={onAmend} aria-label={texts.applyLabel(label, remark.problem)}>
        {texts.apply}
      </Button>
    </li>
  );
}
