import { useCallback, useEffect, useState } from 'react';
import type { User } from '../../../api/types';
import { type Action, useAction } from '../../../api/useAction';
import { pushTexts as texts } from '../../../texts/push';
import { toast } from '../../../ui/toast-store';
import { type Device, thisDevice, turnOn } from './device';

/** What this browser says about itself. Null until it is known, and without push. `look` asks the browser again. */
export function useDevice() {
  const [device, setDevice] = useState<Device | null>(null);
  const look = useCallback(async () => setDevice(await thisDevice()), []);
  useEffect(() => {
    void look();
    return onPermissionChange(() => void look());
  }, [look]);
  return { device, look };
}

/** Calls `listener` when the user changes the permission in the browser's settings. */
function onPermissionChange(listener: () => void): () => void {
  let watched: PermissionStatus | null = null;
  let left = false;
  void navigator.permissions?.query({ name: 'notifications' }).then(
    (status) => {
      watched = left ? null : status;
      watched?.addEventListener('change', listener);
    },
    () => undefined,
  );
  return () => {
    left = true;
    watched?.removeEventListener('change', listener);
  };
}

/** Turns notifications on in this browser. `onAnswer` runs after the user has answered the browser's question. */
export function useTurnOn(user: User, onAnswer: () => Promise<void> | void): Action<[]> {
  return useAction(
    async () => {
      const outcome = await turnOn(user.id);
      await onAnswer();
      if (outcome === 'on') toast(texts.turnedOn, texts.turnedOnDetail, 'success');
      else toast(texts.notOn, texts.reasons[outcome], 'destructive');
    },
    { title: texts.notOn },
  );
}
