import { object, ref, string } from 'yup';
import {
  LONGEST_NAME,
  LONGEST_PASSWORD,
  LONGEST_USERNAME,
  SHORTEST_PASSWORD,
  SHORTEST_USERNAME,
} from '../../lib/limits';
import { accountTexts } from '../../texts/account';

const { errors } = accountTexts;

const characters = (value: string | undefined) => [...(value ?? '')].length;
const trimmedTo = (most: number, message: string) =>
  string()
    .default('')
    .test('long', message, (value) => characters(value.trim()) <= most);

export interface ProfileForm {
  username: string;
  firstName: string;
  lastName: string;
}

export const profileSchema = object({
  username: string()
    .default('')
    .test('short', errors.usernameShort, (value) => characters(value.trim()) >= SHORTEST_USERNAME)
    .test('long', errors.usernameLong, (value) => characters(value.trim()) <= LONGEST_USERNAME)
    .test('letters', errors.usernameLetters, (value) => /^[A-Za-z0-9_]*$/.test(value.trim())),
  firstName: trimmedTo(LONGEST_NAME, errors.firstNameLong),
  lastName: trimmedTo(LONGEST_NAME, errors.lastNameLong),
});

export interface NewPassword {
  newPassword: string;
  confirmPassword: string;
}

export interface PasswordForm extends NewPassword {
  currentPassword: string;
}

const newPassword = {
  newPassword: string()
    .default('')
    .test('short', errors.newShort, (value) => characters(value) >= SHORTEST_PASSWORD)
    .test('long', errors.newLong, (value) => characters(value) <= LONGEST_PASSWORD),
  confirmPassword: string()
    .required(errors.confirmRequired)
    .oneOf([ref('newPassword')], errors.mismatch),
};

export const newPasswordSchema = object(newPassword);

export const passwordSchema = object({
  currentPassword: string().required(errors.currentRequired),
  ...newPassword,
});
