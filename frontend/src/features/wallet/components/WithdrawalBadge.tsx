import { CircleCheck, CircleHelp, CornerUpLeft, Hourglass, type LucideIcon, Send } from 'lucide-react';
import type { Withdrawal, WithdrawalStatus } from '../../../api/types';
import { withdrawTexts as texts } from '../../../texts/wallet';
import { Badge, type BadgeTone } from '../../../ui/Badge';

const LOOKS: Record<WithdrawalStatus, { icon: LucideIcon; tone: BadgeTone }> = {
  held: { icon: Hourglass, tone: 'wait' },
  sending: { icon: Send, tone: 'wait' },
  paid: { icon: CircleCheck, tone: 'won' },
  refunded: { icon: CornerUpLeft, tone: 'neutral' },
};

export function WithdrawalBadge({ withdrawal }: { withdrawal: Withdrawal }) {
  if (withdrawal.isInDoubt) {
    return (
      <Badge icon={CircleHelp} tone="warn">
        {texts.inDoubtLabel}
      </Badge>
    );
  }
  const { icon, tone } = LOOKS[withdrawal.status];
  return (
    <Badge icon={icon} tone={tone}>
      {texts.states[withdrawal.status].label}
    </Badge>
  );
}
