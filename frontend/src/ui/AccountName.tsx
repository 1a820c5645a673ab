/** Tells a password manager the account of a password form that has no e-mail field. */
export function AccountName({ email }: { email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}
