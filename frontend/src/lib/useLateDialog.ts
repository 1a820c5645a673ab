import { useEffect, useState } from 'react';
import { commonTexts } from '../texts/common';
import { toast } from '../ui/toast-store';
import { idle } from './idle';
import type { Prepared } from './prepared';

interface Shown<About> {
  about: About;
  open: boolean;
}

/**
 * A dialog whose code loads after the page's code: in the first idle moment, or when the user opens the dialog. The
 * dialog is mounted when it first opens. It stays mounted, so that the browser can return the focus when the dialog
 * closes.
 */
export function useLateDialog<About>({ isReady, prepare }: Pick<Prepared<never>, 'isReady' | 'prepare'>) {
  const [shown, setShown] = useState<Shown<About> | null>(null);
  /** The subject of the dialog that the user wants to open, while the dialog's code loads. Otherwise null. */
  const [awaited, setAwaited] = useState<About | null>(null);
  useEffect(() => {
    void idle().then(prepare);
  }, [prepare]);
  async function open(about: About) {
    setAwaited(about);
    const came = isReady() || (await prepare());
    setAwaited(null);
    if (came) setShown({ about, open: true });
    else toast(commonTexts.notOpenedTitle, commonTexts.notOpened, 'destructive');
  }
  /**
   * Closes the dialog only if it still shows `about`. So a late event, such as the payment of a deposit whose dialog is
   * closed, does not close a dialog that was opened later.
   */
  const close = (about: About) => setShown((now) => (now?.about === about ? { about, open: false } : now));
  return { shown, awaited, open, close };
}
