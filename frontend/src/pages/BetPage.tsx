import { PageHeading } from '../ui/Heading';

export default function BetPage() {
  return <PageHeading>Bet</PageHeading>;
}
