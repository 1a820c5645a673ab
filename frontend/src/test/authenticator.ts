import { type Mock, vi } from 'vitest';

export interface Browser {
  create: Mock;
  get: Mock;
}

const credential = (id: string) => ({ toJSON: () => ({ id }) });

/** A browser that knows passkeys, with an authenticator that answers at once. */
export function fakeAuthenticator(): Browser {
  const create = vi.fn(async (_: unknown) => credential('made'));
  const get = vi.fn(async (_: unknown) => credential('signed'));
  const parse = (options: unknown) => options;
  vi.stubGlobal('PublicKeyCredential', {
    parseCreationOptionsFromJSON: parse,
    parseRequestOptionsFromJSON: parse,
  });
  Object.defineProperty(navigator, 'credentials', { value: { create, get }, configurable: true });
  return { create, get };
}

/** A browser without passkeys. */
export function noPasskeys() {
  vi.stubGlobal('PublicKeyCredential', undefined);
}
