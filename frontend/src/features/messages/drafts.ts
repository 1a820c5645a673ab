import { forget, keep, recall } from '../../lib/tab-storage';

/** A picture that is uploaded and belongs to no message yet. */
export interface LoosePicture {
  id: string;
  width: number;
  height: number;
  alt: string;
}

interface Draft {
  text: string;
  /** The time of the last edit of the text. */
  editedAt: number;
  pictures: readonly LoosePicture[];
}

const key = (userId: string, betId: string) => `bolts.message.${userId}.${betId}`;

/** The unsent message of this user on this bet. The browser keeps it until its tab is closed. */
export function loadDraft(userId: string, betId: string): Draft {
  const stored = recall(key(userId, betId)) as Partial<Draft> | null;
  const text = typeof stored?.text === 'string' ? stored.text : '';
  const pictures = Array.isArray(stored?.pictures) ? stored.pictures.filter(isPicture) : [];
  return { text, editedAt: Number(stored?.editedAt) || 0, pictures };
}

export function saveDraft(userId: string, betId: string, draft: Draft): void {
  if (draft.text || draft.pictures.length > 0) keep(key(userId, betId), draft);
  else forget(key(userId, betId));
}

function isPicture(stored: unknown): stored is LoosePicture {
  const { id, width, height, alt } = (stored ?? {}) as Partial<LoosePicture>;
  return typeof id === 'string' && typeof alt === 'string' && Number(width) > 0 && Number(height) > 0;
}
