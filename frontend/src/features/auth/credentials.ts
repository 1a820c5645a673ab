import { authTexts } from '../../texts/auth';

/** Of a password, in characters. */
export const SHORTEST = 6;

export interface Credentials {
  email: string;
  password: string;
  confirmPassword: string;
}

/** The account form's checks on submit, in the order in which they are told. */
export function registrationProblem(values: Credentials): string | null {
  if (!values.email.trim() || !values.password || !values.confirmPassword) return authTexts.fillAll;
  if (values.password !== values.confirmPassword) return authTexts.mismatch;
  if ([...values.password].length < SHORTEST) return authTexts.shortPassword;
  return null;
}
