import { useParams, useSearchParams } from 'react-router-dom';
import { BetView } from '../features/bets/components/BetView';
import { useBet } from '../features/bets/useBet';
import { betPageTexts as texts } from '../texts/bets';
import { commonTexts } from '../texts/common';
import { Button, ButtonLink } from '../ui/Button';
import { MessagePage } from '../ui/MessagePage';
import { Spinner } from '../ui/Spinner';

export default function BetPage() {
  const { id = '' } = useParams();
  const [query] = useSearchParams();
  return <BetByKey key={id} id={id} token={query.get('token')} />;
}

/** The address names a bet by its id or by its share token. */
function BetByKey({ id, token }: { id: string; token: string | null }) {
  const { bet, error, retry } = useBet(id, token);
  // A bet that was deleted while one looked is still there beside the error.
  if (error?.status === 404 || bet === null) {
    return (
      <MessagePage title={texts.notFoundTitle} message={texts.notFound}>
        <ButtonLink to="/marketplace" tone="primary">
          {texts.back}
        </ButtonLink>
      </MessagePage>
    );
  }
  if (bet) return <BetView bet={bet} token={token ?? (id === bet.id ? null : id)} />;
  if (error) {
    return (
      <MessagePage title={texts.errorTitle} message={error.message}>
        <Button onClick={retry}>{commonTexts.tryAgain}</Button>
        <ButtonLink to="/marketplace" tone="primary">
          {texts.back}
        </ButtonLink>
      </MessagePage>
    );
  }
  return <Spinner label={texts.loading} />;
}
