import { useSession } from '../api/session';
import { CreateBetForm } from '../features/bets/create/CreateBetForm';
import { createTexts } from '../texts/create';
import { PageHeading } from '../ui/Heading';
import page from '../ui/page.module.css';

export default function CreateBetPage() {
  const { user } = useSession();
  if (!user) return null;
  return (
    <div className={`${page.stack} ${page.narrow}`}>
      <div>
        <PageHeading>{createTexts.title}</PageHeading>
        <p className={page.lead}>{createTexts.lead}</p>
      </div>
      <CreateBetForm user={user} />
    </div>
  );
}
