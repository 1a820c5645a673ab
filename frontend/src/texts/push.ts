/** What the service worker shows if it cannot read a message. */
export const messageTexts = {
  title: 'News on Bolts',
  body: 'Something has happened on the site. Open it to see what.',
};
