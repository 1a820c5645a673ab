/**
 * The parts of a service worker's scope that the worker uses. TypeScript cannot load its library for workers beside the
 * one for pages, because both declare the same names.
 */
export interface WorkerScope {
  registration: WorkerRegistration;
  clients: Clients;
  navigator: WorkerNavigator;
  skipWaiting: () => Promise<void>;
  addEventListener<Name extends keyof WorkerEvents>(
    name: Name,
    listener: (event: WorkerEvents[Name]) => void,
  ): void;
}

interface WorkerEvents {
  install: InstallEvent;
  activate: LastingEvent;
  fetch: FetchEvent;
  push: PushEvent;
  notificationclick: ClickEvent;
  pushsubscriptionchange: LastingEvent & SubscriptionChange;
}

interface LastingEvent {
  /** Keeps the worker alive until the work is done. */
  waitUntil: (work: Promise<unknown>) => void;
}

interface InstallEvent extends LastingEvent {
  /** Only in Chromium since version 123. */
  addRoutes?: (rules: { condition: { urlPattern: string }; source: 'network' }) => Promise<void>;
}

interface FetchEvent extends LastingEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith: (answer: Promise<Response>) => void;
}

interface PushEvent extends LastingEvent {
  data: { json: () => unknown } | null;
}

interface ClickEvent extends LastingEvent {
  notification: Pick<Notification, 'data' | 'close'>;
}

/** Not all browsers name the subscription that has ended. */
export interface SubscriptionChange {
  oldSubscription?: Pick<PushSubscription, 'endpoint'> | null;
}

export interface WorkerRegistration {
  showNotification: (title: string, options: ShownOptions) => Promise<void>;
  navigationPreload?: Pick<NavigationPreloadManager, 'enable'>;
  pushManager: Pick<PushManager, 'subscribe'>;
}

/** TypeScript's own type has no `timestamp`, which not all browsers show. */
export interface ShownOptions extends NotificationOptions {
  timestamp?: number;
}

export type WorkerNavigator = Partial<Pick<Navigator, 'setAppBadge'>>;

export interface Clients {
  claim: () => Promise<void>;
  /** The tabs that this worker controls. The one that was used last comes first. */
  matchAll: (options: { type: 'window' }) => Promise<readonly WindowClient[]>;
  openWindow: (url: string) => Promise<unknown>;
}

interface WindowClient {
  focus: () => Promise<unknown>;
  navigate: (url: string) => Promise<unknown>;
}
