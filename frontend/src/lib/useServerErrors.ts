import { useRef } from 'react';
import type { FieldProblem } from '../api/types';
import { fieldErrors } from './forms';

export interface ServerErrors<T extends object> {
  /** Stores the server's errors for the values that were sent. */
  remember: (problems: readonly FieldProblem[], values: T) => void;
  /** Drops the errors before a new attempt. */
  forget: () => void;
  /** A validation of the form. */
  validate: (values: T) => Partial<Record<keyof T, string>>;
}

/**
 * The server's field errors as a validation of the form. An error that is only set would disappear at the next
 * blur, and moving the focus to the wrong field causes a blur. Each error stays until its field changes.
 */
export function useServerErrors<T extends object>(): ServerErrors<T> {
  const refused = useRef<{ errors: Partial<Record<keyof T, string>>; values: T } | null>(null);
  const refusals = useRef<ServerErrors<T>>({
    remember: (problems, values) => {
      refused.current = { errors: fieldErrors(problems, values), values };
    },
    forget: () => {
      refused.current = null;
    },
    validate: (values) => {
      const standing: Partial<Record<keyof T, string>> = {};
      for (const [name, message] of Object.entries(refused.current?.errors ?? {})) {
        const field = name as keyof T;
        if (refused.current?.values[field] === values[field]) standing[field] = message as string;
      }
      return standing;
    },
  });
  return refusals.current;
}
