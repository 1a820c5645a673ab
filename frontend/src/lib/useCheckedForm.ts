import { type FormikConfig, type FormikProps, type FormikValues, useFormik } from 'formik';
import { useEffect } from 'react';
import { idle } from './idle';
import type { Checks } from './late-checks';
import { type ServerErrors, useServerErrors } from './useServerErrors';

type Options<T> = Pick<FormikConfig<T>, 'initialValues'> &
  Partial<Pick<FormikConfig<T>, 'onSubmit' | 'validateOnChange'>>;

export interface CheckedForm<T extends object> {
  form: FormikProps<T>;
  refusals: ServerErrors<T>;
}

/** A form that is validated on blur and on submit, by its own checks and by the server's refusals. */
export function useCheckedForm<T extends FormikValues>(
  checks: Checks,
  { initialValues, onSubmit = () => {}, validateOnChange = false }: Options<T>,
): CheckedForm<T> {
  const refusals = useServerErrors<T>();
  useEffect(() => {
    void idle().then(() => checks.fetch?.());
  }, [checks]);
  const form = useFormik<T>({
    initialValues,
    validationSchema: checks,
    validate: refusals.validate,
    validateOnChange,
    onSubmit,
  });
  return { form, refusals };
}
