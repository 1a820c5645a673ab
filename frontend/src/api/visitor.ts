/** The server marks the page of someone who came without a session: there is nobody to ask for. */
export const isVisitor = () => document.querySelector('meta[name="session"][content="none"]') !== null;
