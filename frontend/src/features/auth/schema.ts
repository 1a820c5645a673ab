import { object, ref, string } from 'yup';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../lib/limits';
import { authTexts } from '../../texts/auth';

const email = string().trim().required(authTexts.invalidEmail).email(authTexts.invalidEmail);
/** The length limits count Unicode code points, not UTF-16 code units. */
const password = string()
  .default('')
  .test('short', authTexts.shortPassword, (value) => [...value].length >= SHORTEST_PASSWORD)
  .test('long', authTexts.longPassword, (value) => [...value].length <= LONGEST_PASSWORD);

export const signInSchema = object({ email, password });

export const createAccountSchema = object({
  email,
  password,
  confirmPassword: string()
    .oneOf([ref('password')], authTexts.mismatch)
    .concat(password),
});
