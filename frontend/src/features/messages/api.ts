import { ApiError, postMoney, write } from '../../api/client';
import { keyOf } from '../../api/keys';
import type { Message, Problem, UploadedPicture } from '../../api/types';

/** The key of the messages of a bet. */
export const messagesKey = (key: string, token: string | null) =>
  keyOf('/api/bets/{key}/messages', { key, token, order: 'newest', limit: 50 });

const query = (token: string | null) => (token ? `?token=${encodeURIComponent(token)}` : '');

/**
 * Sends a message. A repeat after a lost answer does not write the message twice. After an edit, also one back to the same
 * text, it is another message.
 */
export function sendMessage(
  betId: string,
  token: string | null,
  text: string,
  pictureIds: string[],
  editedAt: number,
) {
  const order = [text, pictureIds, editedAt];
  return postMoney<Message>(`/api/bets/${betId}/messages${query(token)}`, { text, pictureIds }, order);
}

export function deleteMessage(id: string, token: string | null): Promise<unknown> {
  return write('DELETE', `/api/messages/${id}${query(token)}`);
}

/** Deletes an own picture that no message has. */
export function deletePicture(id: string): Promise<unknown> {
  return write('DELETE', pictureUrl(id, null));
}

export function pictureUrl(id: string, token: string | null): string {
  return `/api/pictures/${id}${query(token)}`;
}

/**
 * Uploads a picture to the bet and calls `onProgress` with the percentage that is sent. `fetch` cannot tell the progress
 * of an upload. Gives null if the signal has ended the upload.
 */
export function uploadPicture(
  betId: string,
  picture: Blob,
  alt: string,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<UploadedPicture | null> {
  const form = new FormData();
  form.append('alt', alt);
  form.append('picture', picture, 'picture');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/bets/${betId}/pictures`);
    request.setRequestHeader('Accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(Math.floor((100 * loaded) / total));
    });
    request.addEventListener('load', () => {
      try {
        const answer = JSON.parse(request.responseText) as UploadedPicture & Partial<Problem>;
        if (request.status === 201) return resolve(answer);
        reject(new ApiError(request.status, answer.code ?? 'unknown', answer.detail ?? '', answer));
      } catch {
        reject(new ApiError(request.status, 'unknown', request.statusText));
      }
    });
    request.addEventListener('error', () => reject(new ApiError(0, 'unreachable', '')));
    signal.addEventListener('abort', () => {
      request.abort();
      resolve(null);
    });
    request.send(form);
  });
}
