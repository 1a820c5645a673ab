import { PageHeading } from '../ui/Heading';

export default function AdminPage() {
  return <PageHeading>Admin</PageHeading>;
}
