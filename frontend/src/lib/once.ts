/** Creates an expensive value at the first call, and returns the same value at every later call. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
