import { PageHeading } from '../ui/Heading';

export default function MarketplacePage() {
  return <PageHeading>Marketplace</PageHeading>;
}
