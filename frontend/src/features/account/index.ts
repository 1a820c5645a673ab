/** The exports of the account feature that other features may use. */
export { newPasswordChecks, profileChecks } from './checks';
export type { NewPassword } from './schema';
