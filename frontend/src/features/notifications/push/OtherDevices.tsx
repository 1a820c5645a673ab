import { useId } from 'react';
import { endSubscription } from '../../../api/push';
import type { PushDevice } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { pushTexts as texts } from '../../../texts/push';
import { Button } from '../../../ui/Button';
import { Time } from '../../../ui/Time';
import { toast } from '../../../ui/toast-store';
import styles from '../receivers.module.css';

/** The other browsers of the user, which can be turned off from here. */
export function OtherDevices({ devices }: { devices: PushDevice[] }) {
  const id = useId();
  return (
    <div>
      <h3 id={id}>{texts.others}</h3>
      <ul className={styles.devices} aria-labelledby={id}>
        {devices.map((device) => (
          <Row key={device.id} device={device} />
        ))}
      </ul>
    </div>
  );
}

function Row({ device }: { device: PushDevice }) {
  const name = device.device ?? texts.unknownDevice;
  const end = useAction(
    async () => {
      await endSubscription(device.id);
      toast(texts.turnedOff, undefined, 'success');
    },
    { title: texts.turnOffFailed },
  );
  return (
    <li className={styles.device}>
      <div>
        <p>
          <b>{name}</b>
        </p>
        <p className={styles.hint}>
          {texts.since} <Time at={device.createdAt} style="date" />
        </p>
      </div>
      <Button
        aria-label={texts.turnOffDevice(name)}
        pending={end.pending}
        pendingLabel={texts.turningOff}
        onClick={() => void end.run()}
      >
        {texts.turnOff}
      </Button>
    </li>
  );
}
