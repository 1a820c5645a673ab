import { get } from '../../../api/client';
import { forgetSubscription, pushKey, subscribe } from '../../../api/push';
import type { PushSubscriptions } from '../../../api/types';
import { startWorker } from '../../../lib/worker';
import { hasMark, setMark } from './marks';

const SIGN_OUT_LIMIT_MS = 2_000;

/** Whether this browser can show notifications while no page of the site is open. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Whether this is an iPhone or iPad that could show notifications if the site were on its home screen. */
export function needsHomeScreen(): boolean {
  return !canPush() && 'standalone' in navigator && navigator.standalone === false;
}

/** What this browser says about itself. */
export interface Device {
  permission: NotificationPermission;
  /** The address of its subscription at its push service. Null without one. */
  endpoint: string | null;
}

/** Null if this browser has no push. */
export async function thisDevice(): Promise<Device | null> {
  if (!canPush()) return null;
  const subscription = await currentSubscription();
  return { permission: Notification.permission, endpoint: subscription?.endpoint ?? null };
}

let lastChange: Promise<unknown> = Promise.resolve();

/**
 * Runs a change of the subscription after the changes before it. Otherwise the check at the start of a page could end a
 * subscription that a click is making at this moment.
 */
function inTurn<T>(change: () => Promise<T>): Promise<T> {
  const done = lastChange.then(change, change);
  lastChange = done.catch(() => undefined);
  return done;
}

type Outcome = 'on' | 'blocked' | 'undecided' | 'failed';

/** Asks for the permission and turns notifications on in this browser. Must be called by a click. */
export async function turnOn(userId: string): Promise<Outcome> {
  const permission = await Notification.requestPermission();
  if (permission === 'denied') return 'blocked';
  if (permission !== 'granted') return 'undecided';
  return inTurn(() => subscribeHere(userId));
}

async function subscribeHere(userId: string): Promise<Outcome> {
  const [registration, known] = await Promise.all([startWorker(), get<PushSubscriptions>(pushKey)]);
  if (!registration || !known) return 'failed';
  try {
    await subscribeAnew(registration.pushManager, known);
  } catch (error) {
    // The push service refuses, or this browser has none.
    if (error instanceof DOMException) return 'failed';
    throw error;
  }
  setMark(userId, 'on');
  return 'on';
}

/** Turns notifications off in this browser. A later offer would only repeat a question that the user has answered. */
export function turnOff(userId: string): Promise<void> {
  return inTurn(() => unsubscribeHere(userId));
}

async function unsubscribeHere(userId: string): Promise<void> {
  const subscription = await currentSubscription();
  setMark(userId, 'on', false);
  setMark(userId, 'offered');
  if (!subscription) return;
  await subscription.unsubscribe();
  await forgetSubscription(subscription.endpoint);
}

/**
 * Starts the service worker, and makes sure that this browser gets the notifications of this user, and of nobody else.
 * The server ends a subscription with its session. After the next sign-in, the browser subscribes again without a
 * question if the user has once turned notifications on here.
 */
export function keepOn(userId: string): Promise<void> {
  return inTurn(() => renewSubscription(userId));
}

async function renewSubscription(userId: string): Promise<void> {
  const registration = await startWorker();
  if (!registration || !canPush()) return;
  const { pushManager } = registration;
  const subscription = await pushManager.getSubscription();
  if (!hasMark(userId, 'on') || Notification.permission !== 'granted') {
    await subscription?.unsubscribe();
    return;
  }
  const known = await get<PushSubscriptions>(pushKey);
  if (known && !isOfThisSession(subscription, known)) await subscribeAnew(pushManager, known);
}

/** Ends the notifications of this browser at a sign-out. The server ends them too, so a failure does no harm. */
export async function leave(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, SIGN_OUT_LIMIT_MS));
  const ended = currentSubscription().then((subscription) => subscription?.unsubscribe());
  await Promise.race([late, ended.catch(() => undefined)]);
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (!canPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Whether the server sends messages to this subscription, until this session ends. */
function isOfThisSession(
  subscription: PushSubscription | null,
  { subscriptions }: PushSubscriptions,
): boolean {
  return subscriptions.some(({ endpoint, isCurrent }) => endpoint === subscription?.endpoint && isCurrent);
}

/**
 * Subscribes. A subscription that the server does not know goes first: the server has forgotten it with its session, or
 * because the push service takes no more messages for it. One for another key of the server would be refused.
 */
async function subscribeAnew(manager: PushManager, { publicKey, subscriptions }: PushSubscriptions) {
  const old = await manager.getSubscription();
  const isKnown = subscriptions.some(({ endpoint }) => endpoint === old?.endpoint);
  if (old && !(isKnown && publicKeyOf(old) === publicKey)) await old.unsubscribe();
  await subscribe(manager, publicKey);
}

/** The server's key of a subscription, as base64url without padding. */
function publicKeyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
