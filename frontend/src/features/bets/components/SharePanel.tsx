import { useId, useRef } from 'react';
import { betPageTexts } from '../../../texts/bets';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Field, inputClass } from '../../../ui/Field';
import { toast } from '../../../ui/toast-store';
import styles from './panels.module.css';

const texts = betPageTexts.share;

export function SharePanel({ shareToken }: { shareToken: string }) {
  const link = `${window.location.origin}/share/${shareToken}`;
  const field = useRef<HTMLInputElement>(null);
  const name = useId();
  async function copy() {
    try {
      await navigator.clipboard.writeText(link);
      toast(texts.copied, undefined, 'success');
    } catch {
      // Browsers give no clipboard to plain http: then the link is at least selected.
      field.current?.select();
      toast(texts.failedTitle, texts.failed, 'destructive');
    }
  }
  return (
    <Card title={texts.title} intro={texts.hint}>
      <Field label={texts.label}>
        {(control) => (
          <input
            {...control}
            ref={field}
            name={name}
            readOnly
            value={link}
            className={`${inputClass} ${styles.link}`}
          />
        )}
      </Field>
      <Button onClick={() => void copy()}>{texts.copy}</Button>
    </Card>
  );
}
