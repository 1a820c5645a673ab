import { PageHeading } from '../ui/Heading';

export default function PortfolioPage() {
  return <PageHeading>Portfolio</PageHeading>;
}
