/**
 * Whether the server marked this page as that of a visitor without a session. Then no request for the user is
 * needed.
 */
export const isVisitor = () => document.querySelector('meta[name="session"][content="none"]') !== null;
