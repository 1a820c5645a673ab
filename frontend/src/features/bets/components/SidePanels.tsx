import { type ReactNode, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Bet } from '../../../api/types';
import { useAction } from '../../../api/useAction';
import { authPath } from '../../../lib/paths';
import { betTexts, betToasts, betPageTexts as texts } from '../../../texts/bets';
import { Button, ButtonLink } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/Dialog';
import { toast } from '../../../ui/toast-store';
import { deleteBet } from '../api';
import { optionText, otherSide } from '../parties';
import { warnsOfMethod } from '../status';
import { BET_PAGE_WORDS, useTake } from '../useTake';
import styles from './panels.module.css';
import { TakersRisk } from './Risk';

/** The number of Bolts that a new account gets. */
const GRANT = 1000;

interface LoginPanelProps {
  bet: Bet;
  /** Whether the visitor can take the bet after a sign-in. */
  takeable: boolean;
  sentence: ReactNode;
}

export function LoginPanel({ bet, takeable, sentence }: LoginPanelProps) {
  const here = useLocation();
  const isGrantEnough = bet.currencyType === 'bolts' && bet.opponentStake <= GRANT;
  const hint = isGrantEnough ? texts.loginHintGrant : texts.loginHint;
  return (
    <Card title={texts.loginTitle} intro={takeable ? hint : texts.loginHintClosed} tone="attention">
      {sentence}
      <ButtonLink to={authPath(here)} tone="primary" wide>
        {texts.login}
      </ButtonLink>
    </Card>
  );
}

export function ManualWarning({ bet }: { bet: Bet }) {
  if (!warnsOfMethod(bet)) return null;
  return (
    <div className={styles.warning}>
      <p className={styles.strong}>{betTexts.manualWarningTitle}</p>
      <p>{betTexts.manualWarning}</p>
    </div>
  );
}

interface TakePanelProps {
  bet: Bet;
  shareToken: string | null;
}

/** Lets a signed-in user take the open side of a bet. The creator of the bet does not see this panel. */
export function TakePanel({ bet, shareToken }: TakePanelProps) {
  const side = otherSide(bet.creatorChoice);
  const accept = useTake(bet, shareToken, BET_PAGE_WORDS);
  return (
    <Card title={texts.take} intro={texts.takeSide(optionText(bet, side))} tone="attention">
      <ManualWarning bet={bet} />
      <TakersRisk bet={bet}>
        {(isShort) => (
          <Button
            tone="primary"
            wide
            disabled={isShort}
            pending={accept.pending}
            pendingLabel={texts.taking}
            onClick={() => void accept.run()}
          >
            {texts.take}
          </Button>
        )}
      </TakersRisk>
    </Card>
  );
}

/** Tells the creator of a bet that it waits for a taker. */
export function YourBetPanel({ bet, sentence }: { bet: Bet; sentence: ReactNode }) {
  const navigate = useNavigate();
  return (
    <Card title={texts.yourBetTitle}>
      {sentence}
      {bet.actions.includes('delete') && (
        <div className={styles.quiet}>
          <DeleteButton bet={bet} onDeleted={() => navigate('/portfolio')} />
        </div>
      )}
    </Card>
  );
}

interface DeleteButtonProps {
  bet: Bet;
  onDeleted?: () => void;
}

export function DeleteButton({ bet, onDeleted }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false);
  const remove = useAction(
    async () => {
      await deleteBet(bet.id);
      setAsking(false);
      toast(betToasts.deletedTitle, betToasts.deleted, 'success');
      onDeleted?.();
    },
    { title: betToasts.deleteFailed },
  );
  return (
    <>
      <Button tone="quiet" small onClick={() => setAsking(true)}>
        {texts.delete}
      </Button>
      <ConfirmDialog
        open={asking}
        title={texts.delete}
        message={texts.deleteConfirm}
        confirmLabel={texts.delete}
        pendingLabel={texts.deleting}
        pending={remove.pending}
        danger
        onConfirm={() => void remove.run()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
