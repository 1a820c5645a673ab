/** The texts of the page that the service worker shows if a page cannot be loaded. */
export const offlineTexts = {
  documentTitle: 'Bolts is offline',
  title: 'You are offline',
  hint: 'This device has no connection. Your bets and stakes are on the server, and their deadlines go on.',
  unreachableTitle: 'Bolts cannot be reached',
  unreachable: 'This device has a connection, but the server does not answer.',
  returns: 'The page opens by itself as soon as the server can be reached again.',
  tryAgain: 'Try again',
  trying: 'Trying...',
  still: 'Still no answer.',
};
