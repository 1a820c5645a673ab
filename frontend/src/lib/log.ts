/** Logs failures that the user does not need to see. */
export function logFailure(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is where such failures belong
  console.error(what, error);
}
