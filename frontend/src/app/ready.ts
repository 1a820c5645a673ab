/** The name of the event that the document gets after React's first rendering. From then on, the buttons work. */
export const READY = 'bolts:ready';
