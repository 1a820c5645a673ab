import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { commonTexts } from '../texts/common';
import styles from './Toast.module.css';
import { currentHost, currentToast, dismissToast, subscribeToToast, type ToastMessage } from './toast-store';

const ICONS = { plain: Info, success: CircleCheck, destructive: CircleAlert };

export function Toaster() {
  const message = useSyncExternalStore(subscribeToToast, currentToast);
  const host = useSyncExternalStore(subscribeToToast, currentHost);
  const region = <Region message={message} />;
  return host ? createPortal(region, host) : region;
}

function Region({ message }: { message: ToastMessage | null }) {
  const Icon = ICONS[message?.tone ?? 'plain'];
  return (
    // The live region stays in the page, or screen readers would miss what appears in it.
    <div className={styles.region} role="status" aria-live="polite" aria-atomic="true">
      {message && (
        <div key={message.id} className={styles.toast} data-tone={message.tone}>
          <Icon size={20} aria-hidden="true" />
          <div className={styles.words}>
            <p className={styles.title}>{message.title}</p>
            {message.description && <p className={styles.description}>{message.description}</p>}
          </div>
          <button
            type="button"
            className={styles.close}
            aria-label={commonTexts.dismiss}
            onClick={dismissToast}
          >
            <X size={18} aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  );
}
