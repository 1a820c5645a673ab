import { PageHeading } from '../ui/Heading';

export default function LandingPage() {
  return <PageHeading>Landing</PageHeading>;
}
