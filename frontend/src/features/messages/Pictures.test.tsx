import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { user } from '../../test/fixtures';
import { held } from '../../test/held';
import { live, message, onHeldSend, onMessages, show } from '../../test/messages';
import { onGet, onWrite, problem, server } from '../../test/server';

beforeEach(() => onGet('/api/auth/user', user));
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('enlarges a picture in a dialog', async () => {
  const picture = { id: 'p-1', width: 640, height: 480, alt: 'A thermometer in snow' };
  onMessages(message({ pictures: [picture, { ...picture, id: 'p-2', alt: '' }] }));
  const { user: visitor } = show(live, 'a token');
  await visitor.click(await screen.findByRole('button', { name: 'Enlarge: A thermometer in snow' }));
  const large = within(screen.getByRole('dialog')).getByRole('img', { name: 'A thermometer in snow' });
  expect(large).toHaveAttribute('src', '/api/pictures/p-1?token=a%20token');
  expect(screen.getByRole('button', { name: 'Enlarge: Picture from ada' })).toBeVisible();
});

it('says that a picture does not load', async () => {
  onMessages(message({ pictures: [{ id: 'p-1', width: 640, height: 480, alt: 'Snow' }] }));
  show();
  const button = await screen.findByRole('button', { name: 'Enlarge: Snow' });
  fireEvent.error(button.querySelector('img') as HTMLElement);
  expect(screen.getByText('The picture could not be loaded.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Enlarge: Snow' })).toBeNull();
});

/** A browser that reads every file as a picture of this size. */
function withBitmaps(width = 640, height = 480) {
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close() {} }));
}

/** Stores a draft with these pictures. */
function withDraft(...pictures: unknown[]) {
  sessionStorage.setItem(`bolts.message.${user.id}.bet-1`, JSON.stringify({ text: 'Look.', pictures }));
}

const snow = { id: 'p-1', width: 640, height: 480, alt: 'Snow' };

const file = () => new File([new Uint8Array([1, 2, 3])], 'snow.png', { type: 'image/png' });

/** An upload that waits until the returned function is called. The picture gets this id. */
function heldUpload(id: string): () => void {
  const { released, release } = held();
  server.use(
    http.post('/api/bets/bet-1/pictures', async () => {
      await released;
      return HttpResponse.json({ id, width: 640, height: 480 }, { status: 201 });
    }),
  );
  return release;
}

it('uploads a picture with a description and attaches it', async () => {
  withBitmaps();
  const forms: FormData[] = [];
  server.use(
    http.post('/api/bets/bet-1/pictures', async ({ request }) => {
      forms.push(await request.formData());
      return HttpResponse.json({ id: 'p-1', width: 640, height: 480 }, { status: 201 });
    }),
  );
  const { user: visitor } = show();
  await visitor.upload(await screen.findByLabelText('Add picture', { selector: 'input' }), file());
  const dialog = screen.getByRole('dialog');
  await visitor.type(within(dialog).getByLabelText('What does the picture show?'), ' Snow ');
  await visitor.click(within(dialog).getByRole('button', { name: 'Add picture' }));
  expect(await screen.findByRole('img', { name: 'Snow' })).toHaveAttribute('src', '/api/pictures/p-1');
  expect(forms[0]?.get('alt')).toBe('Snow');
  expect(forms[0]?.get('picture')).toMatchObject({ type: 'image/png' });

  await visitor.type(screen.getByLabelText('Message'), 'Look.');
  const sent = onWrite('post', '/api/bets/bet-1/messages', () =>
    HttpResponse.json(message(), { status: 201 }),
  );
  await visitor.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(sent).toEqual([{ text: 'Look.', pictureIds: ['p-1'] }]));
  await waitFor(() => expect(screen.queryByRole('img', { name: 'Snow' })).toBeNull());
});

it('ends the upload of a picture if its dialog is closed', async () => {
  withBitmaps();
  const answer = heldUpload('p-1');
  const { user: visitor } = show();
  const input = await screen.findByLabelText('Add picture', { selector: 'input' });
  await visitor.upload(input, file());
  await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add picture' }));
  await screen.findByText('Sending the picture: 0 %');
  await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await visitor.upload(input, file());
  answer();
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(within(screen.getByRole('dialog')).getByLabelText('What does the picture show?')).toBeVisible();
  expect(document.querySelector('img[src="/api/pictures/p-1"]')).toBeNull();
});

it('keeps a picture that was removed during an upload out of the draft', async () => {
  withBitmaps();
  withDraft(snow);
  const answer = heldUpload('p-2');
  onWrite('delete', '/api/pictures/p-1', () => HttpResponse.json({ ok: true }));
  const { user: visitor } = show();
  await visitor.upload(await screen.findByLabelText('Add picture', { selector: 'input' }), file());
  await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add picture' }));
  fireEvent.click(screen.getByRole('button', { name: 'Remove the picture: Snow' }));
  answer();
  expect(await screen.findByRole('button', { name: 'Remove the picture' })).toBeVisible();
  expect(screen.queryByRole('img', { name: 'Snow' })).toBeNull();
});

it('shows why a picture was refused, and keeps the dialog open', async () => {
  withBitmaps();
  server.use(
    http.post('/api/bets/bet-1/pictures', () =>
      problem(409, 'picture_limit_reached', 'You have already added 8 pictures.'),
    ),
  );
  const { user: visitor } = show();
  await visitor.upload(await screen.findByLabelText('Add picture', { selector: 'input' }), file());
  await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add picture' }));
  expect(await screen.findByText('You have already added 8 pictures.')).toBeInTheDocument();
  const dialog = within(screen.getByRole('dialog'));
  expect(await dialog.findByRole('button', { name: 'Add picture' })).toBeVisible();
});

it('refuses a file that is no picture without sending it', async () => {
  vi.stubGlobal('createImageBitmap', async () => Promise.reject(new Error('not a picture')));
  const { user: visitor } = show();
  await visitor.upload(await screen.findByLabelText('Add picture', { selector: 'input' }), file());
  await visitor.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add picture' }));
  expect(await screen.findByText('This file is not a PNG, JPEG or WebP picture.')).toBeInTheDocument();
});

it.each([
  ['deletes it on the server', () => HttpResponse.json({ ok: true })],
  ['goes on if that fails', () => HttpResponse.error()],
])('removes a picture from the draft and %s', async (_, answer) => {
  withDraft(snow, { broken: true });
  const deleted = onWrite('delete', '/api/pictures/p-1', answer);
  const { user: visitor } = show();
  await visitor.click(await screen.findByRole('button', { name: 'Remove the picture: Snow' }));
  expect(screen.queryByRole('img', { name: 'Snow' })).toBeNull();
  await waitFor(() => expect(deleted).toHaveLength(1));
  expect(screen.getByLabelText('Message')).toHaveValue('Look.');
});

it('deletes no picture of a message that is being sent', async () => {
  withDraft(snow);
  const deleted = onWrite('delete', '/api/pictures/p-1', () => HttpResponse.json({ ok: true }));
  const answer = onHeldSend();
  const { user: visitor } = show();
  await visitor.click(await screen.findByRole('button', { name: 'Send' }));
  await screen.findByRole('button', { name: 'Sending...' });
  await visitor.click(screen.getByRole('button', { name: 'Remove the picture: Snow' }));
  expect(screen.queryByRole('img', { name: 'Snow' })).toBeNull();
  answer();
  await waitFor(() => expect(screen.getByLabelText('Message')).toHaveValue(''));
  expect(deleted).toEqual([]);
});

it('discards the pictures of a draft if one of them is gone, and keeps its text', async () => {
  withDraft(snow, { ...snow, id: 'p-2', alt: 'Ice' });
  const deleted = ['p-1', 'p-2'].map((id) =>
    onWrite('delete', `/api/pictures/${id}`, () => HttpResponse.json({ ok: true })),
  );
  onWrite('post', '/api/bets/bet-1/messages', () =>
    problem(422, 'invalid_fields', 'A picture is no longer there.', [
      { field: 'pictureIds', message: 'A picture is no longer there.' },
    ]),
  );
  const { user: visitor } = show();
  await visitor.click(await screen.findByRole('button', { name: 'Send' }));
  expect(await screen.findByText('A picture is no longer there.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('img')).toBeNull());
  await waitFor(() => expect(deleted.map((calls) => calls.length)).toEqual([1, 1]));
  expect(screen.getByLabelText('Message')).toHaveValue('Look.');
});
