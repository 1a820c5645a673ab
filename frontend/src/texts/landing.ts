export const landingTexts = {
  hero: 'Bet on Anything with Anyone',
  lead: 'Write a bet with two outcomes, pick your side, and let someone take the other. Even or custom odds, and the winner takes both stakes.',
  getStarted: 'Get Started',
  signIn: 'Sign In',
  toMarket: 'Browse the marketplace',
  create: 'Create a bet',
  unreachable: 'The server is slow or can’t be reached right now.',
  featuresTitle: 'What you get',
  features: [
    {
      title: 'Practice with Bolts',
      text: 'Start with 1,000 free Bolts, practice points with no financial value, and learn without risk.',
    },
    {
      title: 'Win Real Sats',
      text: 'Stake Bitcoin satoshis, from 100 sats. Winnings are in your balance at once.',
    },
    {
      title: 'Bet on Everything',
      text: 'Sports, weather, movies, crypto prices, or who will be late. AI-generated bet ideas when you have none.',
    },
    {
      title: 'Challenge Friends',
      text: 'Keep a bet private and send its link. Nobody else sees it, except its arbiter and the admins.',
    },
    {
      title: 'Fair and Transparent',
      text: 'No house edge, no hidden fees, winner takes all. Stakes are held until the bet is settled.',
    },
    { title: 'Global Community', text: 'Post a public bet and let anyone take it. Sign up with email only.' },
  ],
  testSats: 'On this site, sats are test sats for now: everything works, but no real Bitcoin moves.',
  stepsTitle: 'How it works',
  steps: [
    {
      title: 'Dream up a bet',
      text: 'Two outcomes, your stake and theirs, and a day by which it is decided.',
    },
    { title: 'Pick a currency', text: 'Free Bolts to practice, or sats when you mean it.' },
    { title: 'Win and get paid', text: 'Agree on who was right. Both stakes go to the winner at once.' },
  ],
  closingTitle: 'Somebody thinks you’re wrong',
  closing: 'Find out. Your first 1,000 Bolts are free.',
  sample: {
    label: 'A sample bet slip',
    title: 'Snow in Boston on Christmas Day?',
    a: 'Yes, it snows',
    b: 'No, it stays dry',
    maker: 'You',
    pot: 'Pot',
    potFigure: '200 + 200',
    stub: 'Take this side',
    unit: 'Bolts',
  },
  copyright: '© 2025 Bolts',
};
