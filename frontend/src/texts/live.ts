/** The sentence of a live bet, and of a bet that the reader may take: what happens at its expiry. */
export const liveTexts = {
  live: 'This bet is live: it expires',
  taken: 'It expires',
  thenYou: 'you say what happened',
  thenYouAnswer: (name: string) => `${name} proposes the outcome. It counts unless you reject it`,
  thenCreator: (name: string) => `${name} proposes the outcome`,
  thenDeclared: 'either side can declare the outcome',
  after: (then: string) => `, and then ${then}. If nobody settles it, both stakes go back.`,
};
