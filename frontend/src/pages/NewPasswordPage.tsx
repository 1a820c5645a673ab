import type { User } from '../api/types';
import { PasswordCard } from '../features/account/components/PasswordCard';
import { accountTexts } from '../texts/account';
import { PageHeading } from '../ui/Heading';
import page from '../ui/page.module.css';
import MailPage from './MailPage';

/**
 * The only page that a user with a one-time password sees until the password is changed. Without a user, the pages of
 * links in mails: they share a file, because each further file makes the common script larger.
 */
export default function NewPasswordPage({ user }: { user?: User }) {
  if (!user) return <MailPage />;
  return (
    <div className={`${page.stack} ${page.slim}`}>
      <div>
        <PageHeading>{accountTexts.forced.title}</PageHeading>
        <p className={page.lead}>{accountTexts.forced.lead}</p>
      </div>
      <PasswordCard email={user.email} forced />
    </div>
  );
}
