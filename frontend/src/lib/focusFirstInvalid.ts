/** Moves the focus to the first control that is marked as wrong, after the marks have been rendered. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const selector = '[aria-invalid="true"], button[data-invalid="true"], [data-invalid="true"] input';
    form?.querySelector<HTMLElement>(selector)?.focus();
  });
}
