import { PageHeading } from '../ui/Heading';

export default function SharePage() {
  return <PageHeading>Share</PageHeading>;
}
