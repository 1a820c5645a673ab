import { PageHeading } from '../ui/Heading';

export default function AuthPage() {
  return <PageHeading>Auth</PageHeading>;
}
