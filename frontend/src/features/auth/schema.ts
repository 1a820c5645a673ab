import { object, ref, string } from 'yup';
import { authTexts } from '../../texts/auth';

const SHORTEST = 6;
const LONGEST = 128;

const email = string().trim().required(authTexts.invalidEmail).email(authTexts.invalidEmail);
/** Characters are counted as people see them, not as UTF-16 halves. */
const password = string()
  .default('')
  .test('short', authTexts.shortPassword, (value) => [...value].length >= SHORTEST)
  .test('long', authTexts.longPassword, (value) => [...value].length <= LONGEST);

export const signInSchema = object({ email, password });

export const createAccountSchema = object({
  email,
  password,
  confirmPassword: string()
    .oneOf([ref('password')], authTexts.mismatch)
    .concat(password),
});

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
