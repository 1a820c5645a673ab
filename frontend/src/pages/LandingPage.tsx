import { Landing } from '../features/landing/Landing';

export default function LandingPage() {
  return <Landing />;
}
