/**
 * Creates an expensive value at the first call, and returns the same value at every later call. The mark below lets the
 * build leave out the values that a script does not use.
 */
/* @__NO_SIDE_EFFECTS__ */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
