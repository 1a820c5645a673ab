/** Tells a password manager whose password a form asks for, where the form itself need not. */
export function AccountName({ email }: { email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}
