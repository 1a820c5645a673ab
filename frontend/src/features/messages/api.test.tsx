import { afterEach, expect, it, vi } from 'vitest';
import { uploadPicture } from './api';

const abort = vi.fn();

/** A request that sends its body in two halves and gets this answer. */
function answering(status: number, answer: string) {
  class Request extends EventTarget {
    upload = new EventTarget();
    status = status;
    statusText = 'Bad Gateway';
    responseText = answer;
    open() {}
    abort = abort;
    setRequestHeader() {}
    send(form: FormData) {
      expect([form.get('alt'), form.get('picture')]).toEqual(['Snow', expect.any(Blob)]);
      for (const loaded of [50, 100]) {
        this.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total: 100 }));
      }
      this.dispatchEvent(new Event(status === 0 ? 'error' : 'load'));
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
}

const upload = (onProgress: (percent: number) => void, { signal } = new AbortController()) =>
  uploadPicture('bet-1', new Blob(['x']), 'Snow', onProgress, signal);

afterEach(() => vi.unstubAllGlobals());

it('tells the progress of an upload, and then the stored picture', async () => {
  answering(201, '{"id":"p-1","width":64,"height":48}');
  const told: number[] = [];
  const stored = await upload((percent) => told.push(percent));
  expect([told, stored]).toEqual([[50, 100], { id: 'p-1', width: 64, height: 48 }]);
});

it.each([
  [
    409,
    '{"code":"picture_limit_reached","detail":"You have already added 8 pictures."}',
    'picture_limit_reached',
  ],
  [502, '<html>', 'unknown'],
  [0, '', 'unreachable'],
])('says why an upload failed: status %d', async (status, answer, code) => {
  answering(status, answer);
  await expect(upload(() => {})).rejects.toMatchObject({ status, code });
});

it('ends an upload whose signal says so', async () => {
  answering(201, '{"id":"p-1","width":64,"height":48}');
  const controller = new AbortController();
  const stored = await upload(() => controller.abort(), controller);
  expect(stored).toBeNull();
  expect(abort).toHaveBeenCalled();
});
