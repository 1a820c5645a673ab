/** The exports of the account feature that other features may use. */
export { profileChecks } from './checks';
