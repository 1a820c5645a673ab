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
  /** The checks of the fields: a yup schema, or a function where a few rules are not worth the 12 KB of yup. */
  checks: Checks | ((values: T) => FieldErrors<T>);
  /** When a field is checked, besides on submit. After `submit`, an error stays until its field changes. */
  checkedOn?: 'blur' | 'change' | 'submit';
  /**
   * The words of a toast if the values are not sent. It is also called if the checks found no error, and may
   * refuse the values then.
   */
  refuse?: (values: T, errors: FieldErrors<T>) => { title: string; text: string } | null;
  /** Gets the checked values instead of `send`, to ask the user before they are sent. */
  ask?: ((values: T) => void) | undefined;
  send: (values: T) => Promise<void>;
  /** The server's field errors, under the names of this form's fields. */
  problemsOf?: (error: ApiError, values: T) => readonly FieldProblem[];
  /** The server's errors in the initial values, found before the form was mounted. */
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
  /** The properties of a field's control. */
  field: <N extends Name<T>>(name: N) => FieldInputProps<T[N]>;
  /** The error of a field, once the user has left the field or tried to submit. */
  errorOf: (name: Name<T>) => string | undefined;
  /** Checks the values and gives them to `use`: to `ask` or `send`, unless another function is given. */
  submit: (use?: (values: T) => void | Promise<void>) => Promise<void>;
  /** Sends values that were checked before. */
  send: (values: T) => Promise<void>;
  pending: boolean;
  /** Shows the server's field errors of another action with these values. Returns false: the toast is still due. */
  showErrors: (error: ApiError) => false;
}

/**
 * A form: the checks of its fields, one submit at a time, the server's errors at their fields, and the focus on the
 * first wrong field.
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
    // A second click may come while the first one is still checked.
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

/** The fields of a form with their checks, the server's errors and the focus. */
function useFields<T extends FormikValues>(options: FormOptions<T>) {
  const { initialValues, checks, checkedOn = 'blur', refuse } = options;
  const element = useRef<HTMLFormElement>(null);
  const serverErrors = useServerErrors<T>();
  /** The values that the errors of the last submit are about. */
  const [checked, setChecked] = useState(initialValues);
  /** How often the focus was to move. An effect moves it, because the errors are marked only after a rendering. */
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

  /** Whether the values may be sent. Otherwise it shows why. */
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

  /** Shows the server's errors in these values. */
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
 * The server's field errors as a validation of the form. An error that is only set would disappear at the next
 * blur, and moving the focus to the wrong field causes a blur. Each error stays until its field changes.
 */
function useServerErrors<T extends object>() {
  const last = useRef<{ problems: readonly FieldProblem[]; values: T } | null>(null);
  const errors = useRef({
    /** Stores the errors in these values. */
    remember: (problems: readonly FieldProblem[], values: T) => {
      last.current = { problems, values };
    },
    forget: () => {
      last.current = null;
    },
    /** The errors whose fields have not changed since. */
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
