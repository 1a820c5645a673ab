import type { Arbiter } from '../api/types';

/** Texts about the arbiter of a bet, and for the arbiter. */
export const arbiterTexts = {
  title: 'Arbiter',
  /** Who rules on a dispute, for readers of the bet. */
  who: {
    invited: (name: string) =>
      `${name} is invited to be the arbiter and has not answered yet. Until then, an admin rules if the two sides disagree.`,
    accepted: (name: string) => `${name} is the arbiter and rules if the two sides disagree.`,
    declined: (name: string) =>
      `${name} declined to be the arbiter. An admin rules if the two sides disagree.`,
    resigned: (name: string) => `${name} stepped down as arbiter. An admin rules if the two sides disagree.`,
    out_of_time: (name: string) => `The arbiter ${name} did not rule in time. An admin rules on the dispute.`,
  } satisfies Record<Arbiter['status'], (name: string) => string>,
  invitedTitle: 'You are invited to be the arbiter',
  invited:
    'If the two sides disagree, you say who wins, or that nobody does. You then have a limited time, usually seven days. You earn nothing, and you can’t take a side.',
  invitedTooLate:
    'The two sides disagree already, so an admin rules. You can’t become the arbiter any more, but you can decline.',
  acceptedTitle: 'You are the arbiter',
  accepted: 'Nothing to do for now. If the two sides disagree, you are told and have time to rule.',
  overTitle: 'You were the arbiter',
  over: {
    declined: 'You declined. An admin rules if the two sides disagree.',
    resigned: 'You stepped down. An admin rules if the two sides disagree.',
    out_of_time: 'Your time to rule is over. An admin rules now.',
  },
  accept: 'Be the Arbiter',
  decline: 'Decline',
  answering: 'Sending...',
  giveUp: 'Step Down',
  giveUpConfirm:
    'Step down as arbiter? You can’t come back. An admin then rules on any dispute, also on one that waits for you now.',
  answerFailed: 'Failed to Send Your Answer',
  acceptedToast: 'You Are the Arbiter',
  declinedToast: 'Invitation Declined',
  gaveUpToast: 'You Stepped Down',
  ruleTitle: 'Rule on this dispute',
  reason: 'The reason given for the dispute:',
  until: 'You can rule until',
  ruleNote: 'Note to both sides',
  ruleNoteHint: 'Say why. Both sides read it. Up to 2,000 characters.',
  noteRequired: 'A note is required',
  /** The field of the form of a new bet. */
  label: 'Arbiter',
  hint: 'The username of somebody you both trust, who rules if you disagree. Without an arbiter, an admin rules.',
  toRule: {
    title: 'To rule',
    lead: 'Bets whose arbiter you are.',
    more: 'Show older bets',
    versus: 'vs',
    status: {
      invited: 'Waits for your answer',
      accepted: 'You rule if they disagree',
      out_of_time: 'Your time is over',
    } as Partial<Record<Arbiter['status'], string>>,
    disputed: 'Disputed: rule until',
  },
};
