import { commonTexts } from '../../../texts/common';
import { securityTexts } from '../../../texts/security';
import { Button } from '../../../ui/Button';
import { toast } from '../../../ui/toast-store';
import styles from '../components/account.module.css';

const texts = securityTexts.codes;

/** The recovery codes, which the server gives only once. They stay until the user has confirmed that they are saved. */
export function RecoveryCodes({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toast(texts.copied, undefined, 'success');
    } catch {
      toast(commonTexts.copyFailedTitle, undefined, 'destructive');
    }
  }
  return (
    <div className={styles.form}>
      <h3>{texts.title}</h3>
      <p>{texts.lead}</p>
      <ol className={styles.codes} aria-label={texts.list}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button onClick={() => void copy()}>{texts.copy}</Button>
        <Button tone="primary" onClick={onSaved}>
          {texts.saved}
        </Button>
      </div>
    </div>
  );
}
