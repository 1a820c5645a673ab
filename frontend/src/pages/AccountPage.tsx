import { useSession } from '../api/session';
import { AppearanceCard } from '../features/account/components/AppearanceCard';
import { BalancesCard, OverviewCard } from '../features/account/components/OverviewCards';
import { PasswordCard } from '../features/account/components/PasswordCard';
import { ProfileCard } from '../features/account/components/ProfileCard';
import { HistoryCard } from '../features/wallet/components/HistoryCard';
import { WithdrawalsCard } from '../features/wallet/components/WithdrawalsCard';
import { authPath } from '../lib/paths';
import { accountTexts as texts } from '../texts/account';
import { ButtonLink } from '../ui/Button';
import { PageHeading } from '../ui/Heading';
import { MessagePage } from '../ui/MessagePage';
import page from '../ui/page.module.css';

export default function AccountPage() {
  const { user } = useSession();
  if (!user) {
    return (
      <MessagePage title={texts.denied} message={texts.deniedHint}>
        <ButtonLink to={authPath('/account')} tone="primary">
          {texts.login}
        </ButtonLink>
      </MessagePage>
    );
  }
  return (
    <div className={page.stack}>
      <PageHeading>{texts.title}</PageHeading>
      <div className={page.columns}>
        <div>
          <BalancesCard user={user} />
          <ProfileCard key={user.id} user={user} />
          <AppearanceCard />
        </div>
        <div>
          <OverviewCard user={user} />
          <PasswordCard email={user.email} />
        </div>
      </div>
      <WithdrawalsCard />
      <HistoryCard />
    </div>
  );
}
