import type { AnyObjectSchema, ValidateOptions } from 'yup';
import { persistently } from './idle';

/** The validation of a form: a yup schema, or checks whose code loads after the page. */
export interface Checks {
  /** Rejects with yup's error if a value is wrong. */
  validate: (values: unknown, options?: ValidateOptions) => Promise<unknown>;
  /** Loads the code before the first value is validated. */
  fetch?: () => Promise<void>;
}

/**
 * A validation whose code loads after the page, together with yup. A form can show without this code, because its
 * values cannot be wrong yet. If the code does not load, only the server validates.
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
