import { useLocation, useParams } from 'react-router-dom';
import { keys } from '../api/keys';
import { useSession } from '../api/session';
import { useApi } from '../api/useApi';
import { SharedBet } from '../features/share/SharedBet';
import { VisitorTerms } from '../features/share/VisitorTerms';
import { authPath } from '../lib/paths';
import { commonTexts } from '../texts/common';
import { shareTexts as texts } from '../texts/share';
import { Button, ButtonLink } from '../ui/Button';
import { MessagePage } from '../ui/MessagePage';
import page from '../ui/page.module.css';
import { Spinner } from '../ui/Spinner';

export default function SharePage() {
  const { token = '' } = useParams();
  const { user } = useSession();
  const here = useLocation();
  const { data, error, mutate } = useApi(user ? keys.shared(token) : null);

  if (!user || data === null) {
    return (
      <div className={page.stack}>
        <MessagePage title={texts.authTitle} message={texts.auth}>
          <ButtonLink to={authPath(here)} tone="primary">
            {texts.login}
          </ButtonLink>
        </MessagePage>
        <VisitorTerms token={token} />
      </div>
    );
  }
  // The error is checked first: if the bet is deleted while the page is open, the old data is still there.
  if (error?.status === 404) {
    return (
      <MessagePage title={texts.notFoundTitle} message={texts.notFound}>
        <ButtonLink to="/marketplace" tone="primary">
          {texts.browse}
        </ButtonLink>
      </MessagePage>
    );
  }
  if (data) return <SharedBet bet={data} token={token} user={user} />;
  if (error) {
    return (
      <MessagePage title={texts.failedTitle} message={error.message}>
        <Button onClick={() => void mutate()}>{commonTexts.tryAgain}</Button>
      </MessagePage>
    );
  }
  return <Spinner label={texts.loading} />;
}
