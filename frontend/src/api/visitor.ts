/**
 * Whether the server chose the HTML page for visitors, because the request had no session. Then no request for the user
 * is needed. Also true in the build, which renders only pages of visitors.
 */
export const isVisitor = () =>
  typeof document === 'undefined' || document.documentElement.dataset.visitor !== undefined;
