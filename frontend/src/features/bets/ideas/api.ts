import { ApiError, write } from '../../../api/client';
import type { BetIdea, WordingRemark } from '../../../api/types';
import { toUtcText } from '../../../lib/new-york';
import { createTexts } from '../../../texts/create';
import { type BetForm, expiryOf } from '../create/form';

/** Requests a complete idea. A failure shows the HTTP status instead of the server's error text. */
export async function generateIdea(): Promise<BetIdea> {
  try {
    return await write('POST', '/api/generate-bet-idea');
  } catch (error) {
    const answered = error instanceof ApiError && error.status >= 400;
    throw answered && error.status !== 401
      ? new ApiError(error.status, error.code, createTexts.ideas.requestFailed(error.status))
      : error;
  }
}

export function completeIdea(title: string): Promise<BetIdea> {
  return write('POST', '/api/complete-bet-idea', { title });
}

export function checkWording(form: BetForm): Promise<WordingRemark[]> {
  const { title, description, optionA, optionB, category, sourceUrl } = form;
  const expiry = expiryOf(form);
  return write('POST', '/api/check-bet-wording', {
    title,
    description,
    optionA,
    optionB,
    category,
    sourceUrl,
    expiresAt: expiry && toUtcText(expiry),
  });
}
