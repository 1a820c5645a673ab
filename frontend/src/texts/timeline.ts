import type { TimelineEventName } from '../api/types';

export const timelineTexts = {
  title: 'Timeline',
  failed: 'The timeline could not be loaded.',
  latest: (count: number) => `Only the latest ${count} events are shown.`,
};

/** The names of the events in the history of a bet. */
export const eventNames: Record<TimelineEventName, string> = {
  created: 'Created',
  accepted: 'Accepted',
  deleted: 'Deleted by its creator',
  expired: 'Nobody took it in time, stake returned',
  due: 'Expired',
  ended_early: 'Ended early',
  proposed: 'Outcome proposed',
  agreed: 'Outcome accepted',
  declared: 'Outcome declared',
  rejected: 'Outcome rejected',
  disputed: 'Disputed',
  ruled: 'Ruled',
  stood: 'Nobody answered in time',
  lapsed: 'Nobody settled it in time, stakes returned',
  dispute_lapsed: 'Nobody ruled in time',
  refunded: 'Refunded by an admin',
  admin_deleted: 'Removed by an admin',
  arbiter_accepted: 'The arbiter accepted',
  arbiter_declined: 'The arbiter declined',
  arbiter_resigned: 'The arbiter stepped down',
  handed_over: 'Not ruled in time, handed to the admins',
};
