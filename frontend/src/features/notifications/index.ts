import { lazy } from 'react';

/** The code is in the chunk of the timeline, because one more name would make the initial load larger. */
export const PushOffer = lazy(() => import(/* webpackChunkName: "timeline" */ './push/PushOffer'));
