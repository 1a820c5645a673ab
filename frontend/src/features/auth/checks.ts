import { lateChecks } from '../../lib/late-checks';

const schemas = () => import(/* webpackChunkName: "auth-checks" */ './schema');

export const signInChecks = lateChecks(schemas, ({ signInSchema }) => signInSchema);
export const createAccountChecks = lateChecks(schemas, ({ createAccountSchema }) => createAccountSchema);
