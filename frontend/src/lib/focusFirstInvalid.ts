/**
 * Moves the focus to the first invalid control. Waits one frame, because the controls must first be marked as invalid.
 */
export function focusFirstInvalid(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const selector = '[aria-invalid="true"], button[data-invalid="true"], [data-invalid="true"] input';
    form?.querySelector<HTMLElement>(selector)?.focus();
  });
}
