import { describe, expect, it } from 'vitest';
import { makeIdea } from '../../../test/fixtures';
import { EMPTY_BET } from '../create/form';
import { hasOwnText, ideaFields, withCompletion, withIdea } from './fill';

const idea = ideaFields(makeIdea());

describe('what an idea fills in', () => {
  it('is every field of the bet but side, stake, currency and privacy', () => {
    const form = { ...EMPTY_BET, stakeAmount: '5', isPrivate: true };
    expect(withIdea(form, idea)).toEqual({
      ...form,
      title: 'Snow in Oslo on Friday?',
      description: 'The weather service decides.',
      optionA: 'Snow',
      optionB: 'No snow',
      category: 'Weather',
      resolutionMethod: 'Mutual Agreement',
      sourceUrl: 'https://www.yr.no/',
      expiryDate: '2030-11-29',
      expiryHour: '16',
    });
  });

  it('suggests odds without setting them, also where the user has typed some', () => {
    const suggesting = ideaFields(makeIdea({ oddsA: 4.5 }));
    const form = { ...EMPTY_BET, opponentStake: '5' };
    for (const filled of [withIdea(form, suggesting), withCompletion(form, null, suggesting)]) {
      expect(filled).toMatchObject({ suggestedOddsA: '4.5', odds: '', opponentStake: '5' });
    }
    expect(withCompletion({ ...form, suggestedOddsA: '2.5' }, null, idea).suggestedOddsA).toBe('');
  });

  it('turns an expiry into New York’s date and the next full hour', () => {
    const expiry = (expiryDate: string | null) => {
      const { expiryDate: date, expiryHour } = ideaFields(makeIdea({ expiryDate }));
      return `${date} ${expiryHour}`;
    };
    expect(expiry('2030-11-29T21:00:00Z')).toBe('2030-11-29 16');
    expect(expiry('2030-07-01T03:00:00Z')).toBe('2030-06-30 23');
    expect(expiry('2030-11-29T13:30:00Z')).toBe('2030-11-29 9');
    expect(expiry('2030-11-30T04:30:00Z')).toBe('2030-11-30 0');
    expect(expiry(null)).toBe(' ');
  });

  it('leaves the chosen expiry where the idea has none', () => {
    const form = { ...EMPTY_BET, expiryDate: '2031-01-02', expiryHour: '9' };
    const without = ideaFields(makeIdea({ expiryDate: null, sourceUrl: null }));
    expect(withIdea(form, without)).toMatchObject({
      expiryDate: '2031-01-02',
      expiryHour: '9',
      sourceUrl: '',
    });
  });
});

describe('what is the user’s own', () => {
  it('is text that no idea had filled in', () => {
    expect(hasOwnText(EMPTY_BET, null)).toBe(false);
    expect(hasOwnText({ ...EMPTY_BET, stakeAmount: '5' }, null)).toBe(false);
    expect(hasOwnText({ ...EMPTY_BET, title: 'Mine' }, null)).toBe(true);
    expect(hasOwnText({ ...EMPTY_BET, ...idea }, idea)).toBe(false);
    expect(hasOwnText({ ...EMPTY_BET, ...idea, optionA: 'Mine' }, idea)).toBe(true);
  });

  it('stays when a bet is completed, and an earlier idea’s text does not', () => {
    const own = {
      ...EMPTY_BET,
      title: 'Mine',
      optionA: 'Mine too',
      expiryDate: '2031-01-02',
      expiryHour: '9',
    };
    expect(withCompletion(own, null, { ...idea, title: 'Mine' })).toMatchObject({
      title: 'Mine',
      optionA: 'Mine too',
      optionB: 'No snow',
      expiryDate: '2031-01-02',
      expiryHour: '9',
    });
    const next = { ...idea, optionA: 'Hail', expiryHour: '9' };
    expect(withCompletion({ ...EMPTY_BET, ...idea }, idea, next)).toMatchObject({
      optionA: 'Hail',
      expiryHour: '9',
    });
  });

  it('is no expiry whose hour is missing', () => {
    const half = { ...EMPTY_BET, expiryDate: '2031-01-02' };
    expect(withCompletion(half, null, idea)).toMatchObject({ expiryDate: '2030-11-29', expiryHour: '16' });
  });
});
