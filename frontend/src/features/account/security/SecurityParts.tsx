import type { User } from '../../../api/types';
import { ApiKeysCard } from '../api-keys/ApiKeysCard';
import { FactorsCard } from './FactorsCard';
import { SessionsCard } from './SessionsCard';

/** The parts of the section Security that load after the page. */
export default function SecurityParts({ user }: { user: User }) {
  return (
    <>
      <FactorsCard email={user.email} />
      <SessionsCard />
      <ApiKeysCard email={user.email} />
    </>
  );
}
