import type { AnyObjectSchema, ValidateOptions } from 'yup';
import { persistently } from './idle';

/** What judges a form's values: one of yup's schemas, or the checks that stand for one whose code comes late. */
export interface Checks {
  /** Rejects with yup's error where a value is wrong. */
  validate: (values: unknown, options?: ValidateOptions) => Promise<unknown>;
  /** Fetches the code ahead of the first value that is to be judged. */
  fetch?: () => Promise<void>;
}

/**
 * Checks whose code, and yup's with it, a page does not wait for: a form shows before anything in it can be wrong.
 * Where that code does not come, the server's checks alone judge.
 */
export function lateChecks<Schemas>(
  load: () => Promise<Schemas>,
  pick: (schemas: Schemas) => AnyObjectSchema,
): Required<Checks> {
  return {
    async validate(values, options) {
      const schema = await load().then(pick, () => null);
      return schema?.validate(values, options);
    },
    async fetch() {
      await persistently(load).catch(() => undefined);
    },
  };
}
