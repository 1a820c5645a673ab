import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useRef, useSyncExternalStore } from 'react';
import { commonTexts } from '../texts/common';
import { LiveRegion } from './LiveRegion';
import styles from './Toast.module.css';
import { currentToast, dismissToast, subscribeToToast, type ToastMessage } from './toast-store';
import { useFreePlace } from './useFreePlace';

const ICONS = { plain: Info, success: CircleCheck, destructive: CircleAlert };

export function Toaster() {
  const message = useSyncExternalStore(subscribeToToast, currentToast, currentToast);
  return (
    <LiveRegion className={styles.region}>
      {message && <Toast key={message.id} message={message} />}
    </LiveRegion>
  );
}

function Toast({ message }: { message: ToastMessage }) {
  const Icon = ICONS[message.tone];
  const box = useRef<HTMLDivElement>(null);
  useFreePlace(box, 'bottom');
  return (
    <div ref={box} className={styles.toast} data-toast="" data-tone={message.tone}>
      <Icon size={20} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.title}>{message.title}</p>
        {message.description && <p className={styles.description}>{message.description}</p>}
      </div>
      <button type="button" className={styles.close} aria-label={commonTexts.dismiss} onClick={dismissToast}>
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
