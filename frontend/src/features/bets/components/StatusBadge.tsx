import { Ban, CircleDashed, Flag, Hourglass, Lock, type LucideIcon, Radio, UserCheck } from 'lucide-react';
import type { BetStatus } from '../../../api/types';
import { betTexts } from '../../../texts/bets';
import { Badge, type BadgeTone } from '../../../ui/Badge';

const LOOKS: Record<BetStatus, { icon: LucideIcon; tone: BadgeTone }> = {
  pending: { icon: CircleDashed, tone: 'open' },
  accepted: { icon: Radio, tone: 'live' },
  awaiting_resolution: { icon: Hourglass, tone: 'wait' },
  resolved: { icon: Flag, tone: 'neutral' },
  cancelled: { icon: Ban, tone: 'neutral' },
};

/** A missing status is a pending one; one that this page doesn't know is shown as it came. */
export function StatusBadge({ status }: { status: BetStatus }) {
  const known = status || 'pending';
  const look = LOOKS[known];
  if (!look) return <Badge icon={CircleDashed}>{String(known).toUpperCase()}</Badge>;
  return (
    <Badge icon={look.icon} tone={look.tone}>
      {betTexts.status[known]}
    </Badge>
  );
}

export function PrivateBadge() {
  return <Badge icon={Lock}>{betTexts.private}</Badge>;
}

export function ManualBadge() {
  return (
    <Badge icon={UserCheck} tone="warn">
      {betTexts.manual}
    </Badge>
  );
}
