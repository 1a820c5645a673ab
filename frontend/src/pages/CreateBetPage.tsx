import { PageHeading } from '../ui/Heading';

export default function CreateBetPage() {
  return <PageHeading>CreateBet</PageHeading>;
}
