/** The event of the document after the first rendering. From then on, buttons do what they say. */
export const READY = 'bolts:ready';
