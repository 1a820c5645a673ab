/** For failures that nobody on the page needs to hear of. */
export function logFailure(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the browser's console is where such failures belong
  console.error(what, error);
}
