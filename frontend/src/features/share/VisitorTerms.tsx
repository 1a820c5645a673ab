import { useId } from 'react';
import { keys } from '../../api/keys';
import { useApi } from '../../api/useApi';
import { shareTexts as texts } from '../../texts/share';
import { Empty } from '../../ui/Empty';
import { Failed } from '../../ui/Failed';
import page from '../../ui/page.module.css';
import { Spinner } from '../../ui/Spinner';
import { BigSlip, ManualWarning } from '../bets';
import { DetailsCard, SharedHead } from './SharedBet';

/** Shows the terms of a private bet to a visitor who has opened the share link. */
export function VisitorTerms({ token }: { token: string }) {
  const titleId = useId();
  const { data: bet, error, mutate } = useApi(keys.bet(token, null));
  if (error?.status === 404) return <Empty title={texts.notFoundTitle} hint={texts.notFound} />;
  if (bet) {
    return (
      <section className={page.stack} aria-labelledby={titleId}>
        <SharedHead bet={bet} heading={<h2 id={titleId}>{bet.title}</h2>} />
        <ManualWarning bet={bet} />
        <BigSlip bet={bet} user={null} token={token} />
        <DetailsCard bet={bet} />
      </section>
    );
  }
  if (error) return <Failed title={texts.failedTitle} error={error} onRetry={mutate} />;
  return <Spinner label={texts.loading} />;
}
