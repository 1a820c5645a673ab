import { WebhookCard } from './WebhookCard';

/** The parts of the section Notifications that load after the page. */
export default function ReceiverParts() {
  return <WebhookCard />;
}
