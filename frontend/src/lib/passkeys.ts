import { passkeyTexts as texts } from '../texts/passkeys';

/** The server's part of a ceremony: the options of WebAuthn, and the secret that the answer must present. */
export interface Ceremony {
  ceremony: string;
  publicKey: Record<string, unknown>;
}

/** The browser's part. */
export interface PasskeyAnswer {
  ceremony: string;
  credential: unknown;
}

/** Whether this browser knows passkeys, and can read the options as the server writes them (since 2025 in all browsers). */
export function knowsPasskeys(): boolean {
  return typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
}

type Options<F extends (options: never) => unknown> = Parameters<F>[0];

/** Makes a passkey. Throws a `DOMException` if the browser makes none. */
export async function makePasskey({ ceremony, publicKey }: Ceremony): Promise<PasskeyAnswer> {
  const { parseCreationOptionsFromJSON: parse } = PublicKeyCredential;
  const options = parse.call(PublicKeyCredential, publicKey as never as Options<typeof parse>);
  return answer(ceremony, await navigator.credentials.create({ publicKey: options }));
}

/** Proves with a passkey. Throws a `DOMException` if the browser gives no proof. */
export async function askPasskey({ ceremony, publicKey }: Ceremony): Promise<PasskeyAnswer> {
  const { parseRequestOptionsFromJSON: parse } = PublicKeyCredential;
  const options = parse.call(PublicKeyCredential, publicKey as never as Options<typeof parse>);
  return answer(ceremony, await navigator.credentials.get({ publicKey: options }));
}

function answer(ceremony: string, credential: Credential | null): PasskeyAnswer {
  if (!credential) throw new DOMException('no passkey', 'NotAllowedError');
  return { ceremony, credential: (credential as PublicKeyCredential).toJSON() };
}

const FAILURES: Record<string, string> = {
  NotAllowedError: texts.cancelled,
  AbortError: texts.cancelled,
  InvalidStateError: texts.known,
  SecurityError: texts.wrongAddress,
};

/** What to tell the user about an error of the browser. Other errors are thrown again. */
export function passkeyFailure(error: unknown): string {
  if (!(error instanceof DOMException)) throw error;
  return FAILURES[error.name] ?? texts.failed;
}
