/**
 * The token of the mail's link: the part of the address after `#`, which no server sees. The token is taken out of the
 * address, so that neither the history nor another person at the screen has it.
 */
export function takeToken(): string {
  const token = window.location.hash.slice(1);
  if (token) window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
