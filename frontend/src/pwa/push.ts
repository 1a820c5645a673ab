import { get } from '../api/client';
import { forgetSubscription, pushKey, subscribe } from '../api/push';
import type { PushSubscriptions } from '../api/types';
import { safePath } from '../lib/paths';
import { messageTexts } from '../texts/push';
import icon from './icons/app-192.png';
import badge from './icons/badge-96.png';
import type { Clients, ShownOptions, SubscriptionChange, WorkerNavigator, WorkerRegistration } from './scope';

/** A message of the server. */
interface PushMessage {
  title: string;
  body: string;
  /** A path of this site. */
  url: string;
  /** Browsers replace a notification by a later one with the same tag. */
  tag: string;
  /** In ms since 1970. */
  timestamp: number;
  /** The number of unread notifications. Null if it is not known. */
  unread: number | null;
}

type Data = { json: () => unknown } | null;

/**
 * Reads a message. Browsers demand a notification for each push, so a message that cannot be read says only that there
 * is news.
 */
export function messageOf(data: Data): PushMessage {
  const { title, body, url, tag, timestamp, unread } = fieldsOf(data);
  const isReadable = textOf(title) !== '';
  return {
    title: isReadable ? textOf(title) : messageTexts.title,
    body: isReadable ? textOf(body) : messageTexts.body,
    url: safePath(textOf(url)),
    tag: textOf(tag),
    timestamp: typeof timestamp === 'number' ? timestamp : Date.now(),
    unread: typeof unread === 'number' ? unread : null,
  };
}

function fieldsOf(data: Data): Record<string, unknown> {
  try {
    return Object(data?.json());
  } catch {
    return {};
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Shows a message as a notification of the system, and the number of unread ones on the app's icon. */
export async function show(message: PushMessage, on: WorkerRegistration, navigator: WorkerNavigator) {
  const { title, body, url, tag, timestamp, unread } = message;
  const options: ShownOptions = { body, tag, timestamp, icon, badge, data: { url } };
  await on.showNotification(title, options);
  if (unread !== null) await navigator.setAppBadge?.(unread);
}

/**
 * Opens the page of a notification: in the tab of this site that was used last, or in a new window. The tab is navigated
 * even if it seems to show the page: browsers report the address with which the tab was loaded.
 */
export async function open(data: unknown, clients: Clients): Promise<void> {
  const path = safePath(textOf(Object(data).url));
  const [tab] = await clients.matchAll({ type: 'window' });
  if (!tab) {
    await clients.openWindow(path);
    return;
  }
  await tab.focus();
  await tab.navigate(path);
}

/**
 * Subscribes again after the push service has ended a subscription. Does nothing if the user is signed out: the page
 * subscribes at the next sign-in.
 */
export async function renew(
  { oldSubscription: old }: SubscriptionChange,
  { pushManager }: WorkerRegistration,
): Promise<void> {
  const known = await get<PushSubscriptions>(pushKey);
  if (!known) return;
  // If the browser has made the new subscription itself, `subscribe` returns it.
  const { endpoint } = await subscribe(pushManager, known.publicKey);
  if (old && old.endpoint !== endpoint) await forgetSubscription(old.endpoint);
}
