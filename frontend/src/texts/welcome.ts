/** Texts of the first steps after the sign-up. */
export const welcomeTexts = {
  title: 'Make your first bet',
  lead: 'Pick an idea, change what you like, and send it to a friend. You have 1,000 free Bolts to play with.',
  own: 'Write my own',
  browse: 'Take someone else’s bet',
  dismiss: 'Hide these ideas',
  ideas: [
    {
      title: 'Will it rain where we live this Sunday?',
      optionA: 'Yes, it rains',
      optionB: 'No, it stays dry',
      category: 'Weather',
      expiry: 'sunday',
    },
    {
      title: 'Will our team win its next match?',
      optionA: 'Yes, a win',
      optionB: 'No, a draw or a loss',
      category: 'Sports',
      expiry: 'week',
    },
    {
      title: 'Will one of us be late to our next dinner?',
      optionA: 'Yes, someone is late',
      optionB: 'No, all are on time',
      category: 'Other',
      expiry: 'week',
    },
  ],
  name: {
    title: 'What should others call you?',
    hint: '3 to 20 letters, numbers and underscores. Others see it instead of your email.',
    label: 'Username',
    save: 'Save',
    saving: 'Saving...',
    skip: 'Not now',
    saved: (name: string) => `Hello, ${name}`,
    failed: 'Update Failed',
    fallback: 'Failed to save your username',
  },
} as const;
