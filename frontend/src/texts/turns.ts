import type { Task } from '../api/types';

/** Texts about whose turn it is on a bet, and about the end of a bet. */
export const turnTexts = {
  /** The task of the reader. `outcome` is the proposed outcome. */
  ask: {
    answer: (outcome: string) => `accept or reject the outcome “${outcome}”`,
    propose: () => 'say what happened',
    propose_again: () => 'propose another outcome or start a dispute',
    declare: () => 'declare what happened',
    open: () => 'start to settle this expired bet',
    rule: () => 'rule on this dispute',
    answer_invitation: () => 'say whether you will be the arbiter',
  } satisfies Record<Task, (outcome: string) => string>,
  action: {
    answer: 'Answer',
    propose: 'Propose Outcome',
    propose_again: 'Propose Outcome',
    declare: 'Declare Outcome',
    open: 'Resolve Expired Bet',
    rule: 'Rule',
    answer_invitation: 'Answer',
  } satisfies Record<Task, string>,
  left: (time: string) => `${time} left`,
  over: 'Time is up',
  otherwise: (consequence: string) => `Otherwise ${consequence}.`,
};

/** The parts of the sentence below the slip. The time is between the two parts. */
export const nextTexts = {
  free: 'The other side is open. If nobody takes it, the bet is cancelled',
  waitsForTaker: (stake: string) =>
    `Waiting for a taker: if nobody takes your bet, your stake of ${stake} comes back`,
  lateTaker: 'Nobody took this bet in time. The stake goes back to its creator.',
  yourTurn: (ask: string) => `Your turn: ${ask}; otherwise`,
  waiting: (names: string, task: string) => `Waiting for ${names} ${task}; otherwise`,
  expired: 'This bet has expired.',
  deadline: '. The next deadline of the bet is',
  and: (one: string, other: string) => `${one} or ${other}`,
  admin: 'an admin',
  tasks: {
    answer: 'to answer',
    rule: 'to rule',
    declare: 'to declare the outcome',
    propose: 'to propose an outcome',
  },
};

/** The consequences of a deadline. `before` comes before the time, and `after` after the time. */
export const consequenceTexts = {
  stands: 'the outcome stands',
  andYouGet: (money: string) => ` and you get ${money}`,
  andYouLose: (money: string) => ` and you lose your stake of ${money}`,
  bothBack: 'both stakes go back',
  unruled: 'the bet is settled without a ruling',
  handedOver: 'it goes to the admins',
  adminRules: 'an admin rules on a dispute',
};

/** Texts of the end of a bet, for its parties. */
export const endTexts = {
  label: 'The end of this bet',
  won: 'You won!',
  lost: (name: string) => `This one goes to ${name}.`,
  void: 'No winner',
  untaken: 'No taker',
  stakesBack: (money: string) => `Your stake of ${money} is back in your balance.`,
  balance: (money: string) => `Your balance is now ${money}.`,
  rematch: 'Rematch',
};
