import { useLocation, useParams, useSearchParams } from 'react-router-dom';
import { useSession } from '../api/session';
import { BetView } from '../features/bets/components/BetView';
import { useBet } from '../features/bets/useBet';
import { authPath } from '../lib/paths';
import { betPageTexts as texts } from '../texts/bets';
import { commonTexts, navTexts } from '../texts/common';
import { Button, ButtonLink } from '../ui/Button';
import { MessagePage } from '../ui/MessagePage';
import { Spinner } from '../ui/Spinner';

export default function BetPage() {
  const { id = '' } = useParams();
  const [query] = useSearchParams();
  return <BetByKey key={id} id={id} token={query.get('token')} />;
}

/** `id` comes from the address and is the id or the share token of a bet. */
function BetByKey({ id, token }: { id: string; token: string | null }) {
  const { bet, error, retry } = useBet(id, token);
  // The error is checked first: if the bet is deleted while the page is open, the old data is still there.
  if (error?.status === 404 || bet === null) return <NotFound />;
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

/** A visitor gets here with the link of a private bet too. A party of that bet only has to sign in. */
function NotFound() {
  const { user } = useSession();
  const here = useLocation();
  return (
    <MessagePage
      title={texts.notFoundTitle}
      message={user ? texts.notFound : `${texts.notFound} ${texts.maybePrivate}`}
    >
      {!user && (
        <ButtonLink to={authPath(here)} tone="primary">
          {navTexts.signIn}
        </ButtonLink>
      )}
      <ButtonLink to="/marketplace" tone={user ? 'primary' : 'plain'}>
        {texts.back}
      </ButtonLink>
    </MessagePage>
  );
}
