import { useState } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { write } from '../api/client';
import { ForgotForm } from '../features/mail/ForgotForm';
import { ResetForm } from '../features/mail/ResetForm';
import { TokenAction } from '../features/mail/TokenAction';
import { takeToken } from '../features/mail/token';
import { mailTexts } from '../texts/mail';
import { ButtonLink } from '../ui/Button';

/** The pages to which links in mails lead, and the page that asks for such a mail. */
export default function MailPage() {
  const what = useParams()['*'];
  const [token] = useState(takeToken);
  if (what === 'forgot') return <ForgotForm />;
  if (what === 'reset') return <ResetForm token={token} />;
  if (what === 'verify')
    return (
      <TokenAction
        texts={mailTexts.verify}
        token={token}
        act={(text) => write('POST', '/api/auth/verify-email', { token: text })}
        after={
          <ButtonLink to="/" tone="primary">
            {mailTexts.verify.next}
          </ButtonLink>
        }
      />
    );
  if (what === 'unsubscribe')
    return (
      <TokenAction
        texts={mailTexts.unsubscribe}
        token={token}
        act={(text) => write('POST', `/api/unsubscribe/${encodeURIComponent(text)}`)}
        after={<ButtonLink to="/account#notifications">{mailTexts.unsubscribe.choose}</ButtonLink>}
      />
    );
  return <Navigate to="/" replace />;
}
