/** The texts of the toasts that cover a part of the element. This function runs in the page. */
export function coveringToasts(element: Element): string[] {
  const own = element.getBoundingClientRect();
  return [...document.querySelectorAll('[data-toast]')]
    .filter((toast) => {
      const { left, right, top, bottom } = toast.getBoundingClientRect();
      return left < own.right && right > own.left && top < own.bottom && bottom > own.top;
    })
    .map((toast) => toast.textContent ?? '');
}
