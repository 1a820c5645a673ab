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
 * A dialog whose code loads after the page's code: in the first idle moment, or when the user opens the dialog. It
 * is mounted at its first opening and stays mounted, so that the browser can return the focus.
 */
export function useLateDialog<About>({ isReady, prepare }: Pick<Prepared<never>, 'isReady' | 'prepare'>) {
  const [shown, setShown] = useState<Shown<About> | null>(null);
  /** The request to open the dialog, while its code still loads. */
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
   * A late event, such as a deposit that is paid after its dialog was closed, does not close a dialog that was
   * opened later.
   */
  const close = (about: About) => setShown((now) => (now?.about === about ? { about, open: false } : now));
  return { shown, awaited, open, close };
}
