import { useEffect, useState, useSyncExternalStore } from 'react';
import { type NavigateFunction, useNavigate } from 'react-router-dom';
import { SEARCH_FRAGMENT } from '../lib/paths';
import { areShortcutsOn, onShortcutsChange, turnShortcuts } from '../lib/shortcuts';
import { shortcutTexts as texts } from '../texts/shortcuts';
import { Dialog } from '../ui/Dialog';
import { Fact, Facts } from '../ui/Facts';
import { Switch } from '../ui/Field';
import styles from './Shortcuts.module.css';

/** The single-key shortcuts of a signed-in user, and the dialog that lists them. */
export function Shortcuts() {
  const navigate = useNavigate();
  const on = useSyncExternalStore(onShortcutsChange, areShortcutsOn);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (!on || !isFree(event)) return;
      if (event.key === '?') setHelpOpen(true);
      else if (event.key === '/') search(navigate);
      else if (event.key === 'c') navigate('/create-bet');
      else return;
      event.preventDefault();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, on]);
  return (
    <Dialog open={isHelpOpen} title={texts.title} onClose={() => setHelpOpen(false)}>
      <Facts className={styles.keys}>
        {texts.list.map(({ key, does }) => (
          <Fact key={key} name={<kbd>{key}</kbd>}>
            {does}
          </Fact>
        ))}
      </Facts>
      <Switch label={texts.on} detail={texts.onDetail} checked={on} onChange={turnShortcuts} />
    </Dialog>
  );
}

/** Whether the key belongs to no field, no dialog and no shortcut of the browser. */
function isFree({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || document.querySelector('dialog[open]'))
    return false;
  return !(target instanceof Element && target.closest('input, textarea, select, [contenteditable]'));
}

/** Puts the focus into the search of the marketplace, and opens the marketplace if needed. */
function search(navigate: NavigateFunction) {
  const field = document.querySelector<HTMLElement>('main input[type="search"]');
  if (field) field.focus();
  else navigate(`/marketplace${SEARCH_FRAGMENT}`);
}
