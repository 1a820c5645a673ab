import { write } from './client';
import { keyOf } from './keys';

const PATH = '/api/notifications/push-subscriptions';

/** The read of the user's browsers that get notifications by web push. */
export const pushKey = keyOf(PATH);

/**
 * Subscribes this browser with its push service, and tells the server. `publicKey` is the server's key: the push service
 * then takes messages from this server alone. The permission for notifications must have been granted.
 */
export async function subscribe(
  manager: Pick<PushManager, 'subscribe'>,
  publicKey: string | ArrayBuffer,
): Promise<PushSubscription> {
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  await write('POST', PATH, subscription.toJSON());
  return subscription;
}

/** Tells the server that a subscription of this browser has ended. */
export async function forgetSubscription(endpoint: string): Promise<void> {
  await write('DELETE', PATH, { endpoint });
}

/** Turns another browser of the user off. */
export async function endSubscription(id: string): Promise<void> {
  await write('DELETE', `${PATH}/${id}`);
}

/** Sends a test notification to all browsers of the user. */
export async function sendTestNotification(): Promise<void> {
  await write('POST', `${PATH}/test`, {});
}
