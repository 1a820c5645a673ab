import type { BetForm } from './form';
import type { BetFormik } from './useBetForm';

/** A field's error once the user has been there, or has tried to submit. */
export function errorOf(form: BetFormik, name: keyof BetForm): string | undefined {
  return form.touched[name] ? form.errors[name] : undefined;
}
