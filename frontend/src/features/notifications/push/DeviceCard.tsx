import { useSyncExternalStore } from 'react';
import { pushKey, sendTestNotification } from '../../../api/push';
import type { PushDevice, User } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { useApi } from '../../../api/useApi';
import { install, installPrompt, onInstallPrompt } from '../../../lib/install';
import { pushTexts as texts } from '../../../texts/push';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ListState } from '../../../ui/ListState';
import { toast } from '../../../ui/toast-store';
import { ChannelKinds } from '../ChannelKinds';
import styles from '../receivers.module.css';
import { canPush, needsHomeScreen, turnOff } from './device';
import { OtherDevices } from './OtherDevices';
import { useDevice, useTurnOn } from './useDevice';

/** Notifications on the user's devices: this browser, the others, the kinds, and the app. */
export default function DeviceCard({ user }: { user: User }) {
  const { data, error, mutate } = useApi(pushKey);
  const list = { items: data?.subscriptions, error, refresh: () => mutate() };
  return (
    <Card title={texts.title} intro={texts.intro}>
      <ListState list={list} failed={texts.failed} small>
        {(devices) => <Devices user={user} devices={devices} />}
      </ListState>
      <InstallPart />
    </Card>
  );
}

function Devices({ user, devices }: { user: User; devices: PushDevice[] }) {
  const { device, look } = useDevice();
  const here = devices.find(({ endpoint }) => endpoint === device?.endpoint);
  const others = devices.filter((other) => other !== here);
  return (
    <div className={styles.form}>
      {canPush() ? (
        device && (
          <ThisDevice
            user={user}
            isBlocked={device.permission === 'denied'}
            isOn={here !== undefined}
            look={look}
          />
        )
      ) : (
        <p>{needsHomeScreen() ? texts.homeScreen : texts.unsupported}</p>
      )}
      {others.length > 0 && <OtherDevices devices={others} />}
      {devices.length > 0 && (
        <>
          <TestButton />
          <ChannelKinds channel="push" texts={texts} />
        </>
      )}
    </div>
  );
}

interface ThisDeviceProps {
  user: User;
  isBlocked: boolean;
  /** Whether the server sends messages to this browser. */
  isOn: boolean;
  look: () => Promise<void>;
}

function ThisDevice({ user, isBlocked, isOn, look }: ThisDeviceProps) {
  if (isBlocked) {
    return (
      <div>
        <p>{texts.blocked}</p>
        <p className={styles.hint}>{texts.unblock}</p>
      </div>
    );
  }
  if (isOn) return <TurnedOn user={user} look={look} />;
  return (
    <div className={styles.state}>
      <p>{texts.off}</p>
      <TurnOnButton user={user} look={look} />
    </div>
  );
}

type SwitchProps = Pick<ThisDeviceProps, 'user' | 'look'>;

function TurnOnButton({ user, look }: SwitchProps) {
  const on = useTurnOn(user, look);
  return (
    <Button tone="primary" pending={on.pending} pendingLabel={texts.turningOn} onClick={() => void on.run()}>
      {texts.turnOn}
    </Button>
  );
}

function TurnedOn({ user, look }: SwitchProps) {
  const off = useAction(
    async () => {
      await turnOff(user.id);
      toast(texts.turnedOff, undefined, 'success');
    },
    { title: texts.turnOffFailed },
  );
  /** Looks after the list has been read again. Otherwise this device would appear among the others for a moment. */
  const end = () => off.run().then(look);
  return (
    <div className={styles.state}>
      <p>{texts.on}</p>
      <Button pending={off.pending} pendingLabel={texts.turningOff} onClick={() => void end()}>
        {texts.turnOff}
      </Button>
    </div>
  );
}

function TestButton() {
  const test = useAction(
    async () => {
      await sendTestNotification();
      toast(texts.tested, texts.testedDetail, 'success');
    },
    { title: texts.testFailed },
  );
  return (
    <div>
      <Button pending={test.pending} pendingLabel={texts.testing} onClick={() => void test.run()}>
        {texts.test}
      </Button>
    </div>
  );
}

/** Offers the installation if the browser does. */
function InstallPart() {
  const offer = useSyncExternalStore(onInstallPrompt, installPrompt);
  if (!offer) return null;
  return (
    <div className={styles.state}>
      <p className={styles.hint}>{texts.installHint}</p>
      <Button onClick={() => void install(offer)}>{texts.install}</Button>
    </div>
  );
}
