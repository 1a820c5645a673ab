import {
  Ban,
  CircleDashed,
  Flag,
  Hourglass,
  Lock,
  type LucideIcon,
  Radio,
  Scale,
  UserCheck,
} from 'lucide-react';
import type { Bet, BetStatus } from '../../../api/types';
import { betTexts } from '../../../texts/bets';
import { Badge, type BadgeTone } from '../../../ui/Badge';
import { statusName } from '../parties';
import { warnsOfMethod } from '../status';

const LOOKS: Record<BetStatus, { icon: LucideIcon; tone: BadgeTone }> = {
  pending: { icon: CircleDashed, tone: 'open' },
  accepted: { icon: Radio, tone: 'live' },
  awaiting_resolution: { icon: Hourglass, tone: 'wait' },
  resolved: { icon: Flag, tone: 'neutral' },
  cancelled: { icon: Ban, tone: 'neutral' },
};

export function StatusBadge({ status }: { status: BetStatus }) {
  const known = status || 'pending';
  const look = LOOKS[known];
  if (!look) return <Badge icon={CircleDashed}>{statusName(status)}</Badge>;
  return (
    <Badge icon={look.icon} tone={look.tone}>
      {statusName(status)}
    </Badge>
  );
}

export function DisputedBadge() {
  return (
    <Badge icon={Scale} tone="warn">
      {betTexts.disputed}
    </Badge>
  );
}

export function PrivateBadge() {
  return <Badge icon={Lock}>{betTexts.private}</Badge>;
}

export function ManualBadge({ bet }: { bet: Bet }) {
  if (!warnsOfMethod(bet)) return null;
  return (
    <Badge icon={UserCheck} tone="warn">
      {betTexts.manual}
    </Badge>
  );
}
