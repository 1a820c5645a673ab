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

interface Look {
  icon: LucideIcon;
  tone?: BadgeTone;
}

const LOOKS: Record<BetStatus, Look> = {
  pending: { icon: CircleDashed, tone: 'open' },
  accepted: { icon: Radio, tone: 'live' },
  awaiting_resolution: { icon: Hourglass, tone: 'wait' },
  resolved: { icon: Flag },
  cancelled: { icon: Ban },
};

export function StatusBadge({ status }: { status: BetStatus }) {
  const look: Look = LOOKS[status || 'pending'] ?? { icon: CircleDashed };
  return <Badge {...look}>{statusName(status)}</Badge>;
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
