/** The body that proves the second factor. Codes of an app have only digits, and recovery codes have letters too. */
export function proofOf(code: string): { code: string } | { recoveryCode: string } {
  const typed = code.trim();
  return /^[\d\s]*$/.test(typed) ? { code: typed } : { recoveryCode: typed };
}
