import type { BetForm } from './form';
import type { BetFormik } from './useBetForm';

/** The error of a field, once the user has visited the field or tried to submit. */
export function errorOf(form: BetFormik, name: keyof BetForm): string | undefined {
  return form.touched[name] ? form.errors[name] : undefined;
}
