/** What the service worker shows if it cannot read a message. */
export const messageTexts = {
  title: 'News on Bolts',
  body: 'Something has happened on the site. Open it to see what.',
};

export const pushTexts = {
  title: 'This Device',
  intro: 'Notifications can appear on this device even while no page of Bolts is open.',
  unsupported: 'This browser cannot show notifications of a site.',
  homeScreen:
    'Add Bolts to your home screen first: tap Share, then “Add to Home Screen”. Open Bolts from there, and turn notifications on here.',
  blocked: 'Your browser blocks the notifications of this site.',
  unblock:
    'To allow them, open the settings of the site beside its address, set “Notifications” to “Allow”, and come back.',
  off: 'Notifications are off on this device.',
  on: 'Notifications are on for this device.',
  turnOn: 'Turn On Notifications',
  turningOn: 'Turning on...',
  turnedOn: 'Notifications On',
  turnedOnDetail: 'This device tells you when something happens on your bets.',
  turnOff: 'Turn Off',
  turningOff: 'Turning off...',
  turnedOff: 'Notifications Off',
  turnOffFailed: 'Not Turned Off',
  notOn: 'Not Turned On',
  reasons: {
    blocked: 'Your browser blocks the notifications of this site.',
    undecided: 'Your browser asks first. Choose “Allow” there.',
    failed: 'The push service of your browser did not answer. Try again later, or use another browser.',
  },
  test: 'Send a Test',
  testing: 'Sending...',
  tested: 'Test on Its Way',
  testedDetail: 'It appears on all devices that are on.',
  testFailed: 'Not Sent',
  others: 'Other devices',
  unknownDevice: 'Unknown browser',
  since: 'on since',
  turnOffDevice: (device: string) => `Turn off ${device}`,
  failed: 'Your devices could not be loaded',
  kinds: 'What appears on your devices',
  saveKinds: 'Save Kinds',
  kindsSaved: 'Kinds Saved',
  install: 'Install the App',
  installHint: 'Bolts can also be an app of its own on this device.',
  offer: {
    title: 'Get told when it is your turn',
    text: 'This device can tell you when somebody takes your bet or an answer is due, even while Bolts is closed.',
    later: 'Not now',
  },
};
