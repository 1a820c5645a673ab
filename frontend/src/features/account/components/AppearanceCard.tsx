import { useSyncExternalStore } from 'react';
import { areShortcutsOn, onShortcutsChange, turnShortcuts } from '../../../lib/shortcuts';
import { chooseTheme, chosenTheme, onThemeChange, type Theme } from '../../../lib/theme';
import { accountTexts as texts } from '../../../texts/account';
import { Card } from '../../../ui/Card';
import { Field, Switch, selectClass } from '../../../ui/Field';

/** The choice of the theme and of the shortcuts. The switch in the navigation has no way back to the theme of the device. */
export function AppearanceCard() {
  const shortcuts = useSyncExternalStore(onShortcutsChange, areShortcutsOn);
  const theme = useSyncExternalStore(onThemeChange, chosenTheme);
  return (
    <Card title={texts.appearance}>
      <Field label={texts.theme}>
        {(control) => (
          <select
            {...control}
            className={selectClass}
            value={theme ?? 'system'}
            onChange={({ target: { value } }) => chooseTheme(value === 'system' ? null : (value as Theme))}
          >
            {texts.themes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Switch
        label={texts.shortcuts}
        detail={texts.shortcutsDetail}
        checked={shortcuts}
        onChange={turnShortcuts}
      />
    </Card>
  );
}
