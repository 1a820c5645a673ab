import { HistoryCard } from './HistoryCard';
import { WithdrawalsCard } from './WithdrawalsCard';

/** The withdrawals of a user, and all movements of the wallet. */
export default function Payments() {
  return (
    <>
      <WithdrawalsCard />
      <HistoryCard />
    </>
  );
}
