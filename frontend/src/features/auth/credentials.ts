import { SHORTEST_PASSWORD } from '../../lib/limits';
import { authTexts } from '../../texts/auth';

export interface Credentials {
  email: string;
  password: string;
  confirmPassword: string;
}

/** Checks the form for a new account on submit. Returns the message of the first failed check. */
export function registrationProblem(values: Credentials): string | null {
  if (!values.email.trim() || !values.password || !values.confirmPassword) return authTexts.fillAll;
  if (values.password !== values.confirmPassword) return authTexts.mismatch;
  if ([...values.password].length < SHORTEST_PASSWORD) return authTexts.shortPassword;
  return null;
}
