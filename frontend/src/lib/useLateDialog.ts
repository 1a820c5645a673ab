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
 * A dialog whose code comes after the page's: ahead, in its first idle moment, or when it is asked for. It is mounted
 * when it first opens, and stays when it closes, so that the browser can give the focus back.
 */
export function useLateDialog<About>({ isReady, prepare }: Pick<Prepared<never>, 'isReady' | 'prepare'>) {
  const [shown, setShown] = useState<Shown<About> | null>(null);
  /** What was asked for while its code is still on its way. */
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
  /** What ends late, as a deposit may long after its dialog was closed, closes nothing that came after it. */
  const close = (about: About) => setShown((now) => (now?.about === about ? { about, open: false } : now));
  return { shown, awaited, open, close };
}
