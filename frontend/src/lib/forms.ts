import type { FieldProblem } from '../api/types';

/** The server's field errors, for the fields of this form. */
export function fieldErrors<T extends object>(
  problems: readonly FieldProblem[],
  values: T,
): Partial<Record<keyof T, string>> {
  const errors: Partial<Record<keyof T, string>> = {};
  for (const { field, message } of problems) {
    if (field in values) errors[field as keyof T] = message;
  }
  return errors;
}

/** Moves the focus to the first control that is marked as wrong, after the marks have been rendered. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const selector = '[aria-invalid="true"], button[data-invalid="true"], [data-invalid="true"] input';
    form?.querySelector<HTMLElement>(selector)?.focus();
  });
}
