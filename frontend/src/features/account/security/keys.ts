import { keyOf } from '../../../api/keys';

export const securityKeys = {
  factors: keyOf('/api/auth/factors'),
  sessions: keyOf('/api/auth/sessions'),
};
