import {
  type FieldInputProps,
  type FormikProps,
  type FormikTouched,
  type FormikValues,
  useFormik,
} from 'formik';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ApiError } from '../api/client';
import type { FieldProblem } from '../api/types';
import { type Failure, useAction } from '../api/useAction';
import { toast } from '../ui/toast-store';
import { focusFirstInvalid } from './focusFirstInvalid';
import { idle } from './idle';
import type { Checks } from './late-checks';

export type FieldErrors<T> = Partial<Record<keyof T, string>>;
type Name<T> = keyof T & string;

interface FormOptions<T> extends Failure {
  initialValues: T;
  /**
   * The validation of the fields: a yup schema, or a function. Yup is 12 KB large, so a form with few rules uses a
   * function.
   */
  checks: Checks | ((values: T) => FieldErrors<T>);
  /**
   * The event after which a field is validated. The submit validates all fields in any case. With `'submit'`, an error
   * disappears when its field changes.
   */
  checkedOn?: 'blur' | 'change' | 'submit';
  /**
   * Called on submit with the errors of `checks`. If it returns texts, a toast shows them and the values are not sent.
   * If it returns null, the values are sent unless there are errors.
   */
  refuse?: (values: T, errors: FieldErrors<T>) => { title: string; text: string } | null;
  /** Replaces `send` on submit. Gets the valid values, and asks the user to confirm before they are sent. */
  ask?: ((values: T) => void) | undefined;
  send: (values: T) => Promise<void>;
  /** The server's field errors, with the server's field names translated to the names of this form. */
  problemsOf?: (error: ApiError, values: T) => readonly FieldProblem[];
  /** Errors that the server found in the initial values before the form was mounted. */
  refused?: readonly FieldProblem[];
}

export interface Form<T>
  extends Pick<FormikProps<T>, 'values' | 'setValues' | 'setFieldValue' | 'resetForm'> {
  /** The properties of the form element. */
  props: {
    ref: RefObject<HTMLFormElement | null>;
    noValidate: true;
    onSubmit: (event: FormEvent) => void;
  };
  /** The properties of the control of a field. */
  field: <N extends Name<T>>(name: N) => FieldInputProps<T[N]>;
  /** The error of a field. Undefined until the user has left the field or tried to submit. */
  errorOf: (name: Name<T>) => string | undefined;
  /**
   * Validates the values and passes them to `use`. The default of `use` is `ask`, or `send` if the form has no `ask`.
   */
  submit: (use?: (values: T) => void | Promise<void>) => Promise<void>;
  /** Sends values without validating them again. */
  send: (values: T) => Promise<void>;
  pending: boolean;
  /**
   * Shows the field errors of a server error from an action outside this form. Always returns false. As a result of
   * `onError`, false means that a toast must be shown too.
   */
  showErrors: (error: ApiError) => false;
}

/**
 * A form with validation, one submit at a time, the server's errors next to their fields, and the focus on the first
 * invalid field.
 */
export function useForm<T extends FormikValues>(options: FormOptions<T>): Form<T> {
  const { initialValues, ask, send, problemsOf, refused = [] } = options;
  const { form, element, check, show, errorOf } = useFields(options);
  const submitting = useRef(false);
  /** The values of the last submit. */
  const submitted = useRef(initialValues);

  // biome-ignore lint/correctness/useExhaustiveDependencies: errors from before this form was mounted are shown once
  useEffect(() => {
    if (refused.length > 0) void show(refused, initialValues);
  }, []);

  function showErrors(error: ApiError): false {
    void show(problemsOf?.(error, submitted.current) ?? error.fields, submitted.current);
    return false;
  }
  const action = useAction(send, {
    ...options,
    onError: (error) => showErrors(error) || (options.onError?.(error) ?? false),
  });

  async function submit(use: (values: T) => void | Promise<void> = ask ?? action.run) {
    // Ignores a second click while the first submit is still validated.
    if (submitting.current) return;
    submitting.current = true;
    const { values } = form;
    submitted.current = values;
    try {
      if (await check(values)) await use(values);
    } finally {
      submitting.current = false;
    }
  }

  const { values, setValues, setFieldValue, resetForm } = form;
  return {
    values,
    setValues,
    setFieldValue,
    resetForm,
    props: {
      ref: element,
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault();
        void submit();
      },
    },
    field: (name) => form.getFieldProps(name),
    errorOf,
    submit,
    send: action.run,
    pending: action.pending,
    showErrors,
  };
}

/** The fields of a form, their validation, the server's errors, and the focus on the first invalid field. */
function useFields<T extends FormikValues>(options: FormOptions<T>) {
  const { initialValues, checks, checkedOn = 'blur', refuse } = options;
  const element = useRef<HTMLFormElement>(null);
  const serverErrors = useServerErrors<T>();
  /** The values at the last submit. The errors of that submit belong to these values. */
  const [checked, setChecked] = useState(initialValues);
  /**
   * A counter of requests to move the focus. An effect moves the focus, because the errors are marked only after a
   * rendering.
   */
  const [moves, setMoves] = useState(0);
  useEffect(() => {
    if (moves > 0) focusFirstInvalid(element.current);
  }, [moves]);
  const [schema, rules] = typeof checks === 'function' ? [null, checks] : [checks, null];
  useEffect(() => {
    void idle().then(() => schema?.fetch?.());
  }, [schema]);
  const form = useFormik<T>({
    initialValues,
    validationSchema: schema,
    validate: (values) => ({ ...rules?.(values), ...serverErrors.standing(values) }),
    validateOnBlur: checkedOn !== 'submit',
    validateOnChange: checkedOn === 'change',
    onSubmit: () => {},
  });

  /** Returns whether the values may be sent. If not, shows the reason. */
  async function check(values: T): Promise<boolean> {
    serverErrors.forget();
    await form.setTouched(allTouched(values), false);
    const errors = (await form.validateForm(values)) as FieldErrors<T>;
    setChecked(values);
    const refusal = refuse?.(values, errors);
    if (refusal) toast(refusal.title, refusal.text, 'destructive');
    if (!refusal && Object.keys(errors).length === 0) return true;
    setMoves((before) => before + 1);
    return false;
  }

  /** Shows the errors that the server found in `values`. */
  async function show(problems: readonly FieldProblem[], values: T) {
    serverErrors.remember(problems, values);
    await form.setTouched(allTouched(values), false);
    await form.validateForm();
    setMoves((before) => before + 1);
  }

  function errorOf(name: Name<T>) {
    const isOutdated = checkedOn === 'submit' && checked[name] !== form.values[name];
    return form.touched[name] && !isOutdated ? (form.errors[name] as string | undefined) : undefined;
  }
  return { form, element, check, show, errorOf };
}

function allTouched<T extends FormikValues>(values: T): FormikTouched<T> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, true])) as FormikTouched<T>;
}

/**
 * The server's field errors as a part of the form's validation. An error that was only set in Formik would disappear at
 * the next blur, and moving the focus to the invalid field causes a blur. Each error stays until its field changes.
 */
function useServerErrors<T extends object>() {
  const last = useRef<{ problems: readonly FieldProblem[]; values: T } | null>(null);
  const errors = useRef({
    /** Stores the errors together with the values that caused them. */
    remember: (problems: readonly FieldProblem[], values: T) => {
      last.current = { problems, values };
    },
    forget: () => {
      last.current = null;
    },
    /** The stored errors of all fields that have not changed since the errors were stored. */
    standing: (values: T): FieldErrors<T> => {
      const { problems = [], values: then = values } = last.current ?? {};
      const unchanged = problems.filter(
        ({ field }) => field in values && then[field as keyof T] === values[field as keyof T],
      );
      return Object.fromEntries(unchanged.map(({ field, message }) => [field, message])) as FieldErrors<T>;
    },
  });
  return errors.current;
}
