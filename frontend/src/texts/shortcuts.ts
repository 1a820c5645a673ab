export const shortcutTexts = {
  title: 'Keyboard shortcuts',
  list: [
    { key: '/', does: 'Search bets' },
    { key: 'c', does: 'Create a bet' },
    { key: '?', does: 'Show these shortcuts' },
  ],
  on: 'Use shortcuts',
  onDetail: 'You find this switch in your account too.',
};
