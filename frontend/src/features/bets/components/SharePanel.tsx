import { betPageTexts } from '../../../texts/bets';
import { Card } from '../../../ui/Card';
import { CopyField } from '../../../ui/CopyField';

const texts = betPageTexts.share;

export function SharePanel({ shareToken }: { shareToken: string }) {
  return (
    <Card title={texts.title} intro={texts.hint}>
      <CopyField
        label={texts.label}
        value={`${window.location.origin}/share/${shareToken}`}
        copyLabel={texts.copy}
        copied={texts.copied}
      />
    </Card>
  );
}
