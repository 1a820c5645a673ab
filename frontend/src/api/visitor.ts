/**
 * Whether the server chose the page of a visitor without a session. Then no request for the user is needed. The build
 * renders pages of visitors only.
 */
export const isVisitor = () =>
  typeof document === 'undefined' || document.documentElement.dataset.visitor !== undefined;
