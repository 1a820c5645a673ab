import { useRef } from 'react';
import type { FieldProblem } from '../api/types';
import { fieldErrors } from './forms';

export interface Refusals<T extends object> {
  /** Keeps the server's words about the values that were sent. */
  remember: (problems: readonly FieldProblem[], values: T) => void;
  /** A new attempt is judged anew. */
  forget: () => void;
  /** One more validation of the form. */
  validate: (values: T) => Partial<Record<keyof T, string>>;
}

/**
 * What the server refused, as a validation: an error that is only set would be gone with the next blur, which the
 * move of the focus to the wrong field causes itself. Each stands until its field changes.
 */
export function useRefusals<T extends object>(): Refusals<T> {
  const refused = useRef<{ errors: Partial<Record<keyof T, string>>; values: T } | null>(null);
  const refusals = useRef<Refusals<T>>({
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
