/** Texts of a bet's slip. The form for a new bet has no slip, so its code does not load them. */
export const slipTexts = {
  odds: '2x',
  side: (side: string) => `Option ${side}`,
  win: (money: string) => `Win: +${money}`,
  yourPick: 'YOUR PICK',
  creatorsPick: "Creator's Pick",
  takenByYou: 'YOUR SIDE',
  takenBy: (name: string) => `Taken by ${name}`,
  stub: 'Take this side',
  stubLabel: (option: string) => `Take this side: ${option}`,
  stubOpen: 'Not taken yet',
  stubWaiting: 'Waiting for a taker',
  stubClosed: 'Nobody took this side',
  won: 'Won',
  lost: 'Lost',
  returned: 'Stake returned',
  pot: 'Pot',
};
