import { lateChecks } from '../../lib/late-checks';

const schemas = () => import(/* webpackChunkName: "account-checks" */ './schema');

export const profileChecks = lateChecks(schemas, ({ profileSchema }) => profileSchema);
export const newPasswordChecks = lateChecks(schemas, ({ newPasswordSchema }) => newPasswordSchema);
export const passwordChecks = lateChecks(schemas, ({ passwordSchema }) => passwordSchema);
