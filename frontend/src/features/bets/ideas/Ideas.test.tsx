import { screen, waitFor } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import type { BetIdea } from '../../../api/types';
import { makeBet, makeIdea, user as me } from '../../../test/fixtures';
import { held } from '../../../test/held';
import { renderApp } from '../../../test/render';
import { onWrite, problem, server } from '../../../test/server';
import { CreateBetForm } from '../create/CreateBetForm';

type Typist = ReturnType<typeof userEvent.setup>;

const toast = () => screen.getAllByRole('status').at(-1);
const button = (name: string | RegExp) => screen.queryByRole('button', { name });
const title = () => screen.getByLabelText('Title');
const option = (side: string) =>
  screen.getByLabelText(`Option ${side}`, { selector: `input[name="option${side}"]` });
const press = (user: Typist, name: string) => user.click(screen.getByRole('button', { name }));

/** Holds the answer to a request until the test calls the returned function. */
function heldAnswer(path: string, answer: () => Response) {
  const { released, release } = held();
  server.use(
    http.post(path, async () => {
      await released;
      return answer();
    }),
  );
  return release;
}

function expectFilled(idea: BetIdea) {
  expect(title()).toHaveValue(idea.title);
  expect(screen.getByLabelText(/^Description/)).toHaveValue(idea.description);
  expect(option('A')).toHaveValue(idea.optionA);
  expect(option('B')).toHaveValue(idea.optionB);
  expect(screen.getByLabelText(/^Category/)).toHaveValue(idea.category);
  expect(screen.getByRole('radio', { name: /Mutual Agreement/ })).toBeChecked();
  expect(screen.getByLabelText(/^Source link/)).toHaveValue(idea.sourceUrl);
  expect(screen.getByLabelText('Expiry date')).toHaveTextContent('Fri, Nov 29, 2030');
  expect(screen.getByLabelText('Expiry time')).toHaveValue('16');
}

describe('Generate Bet Idea', () => {
  it('says that it is at work, then fills the form and says so', async () => {
    const release = heldAnswer('/api/generate-bet-idea', () => HttpResponse.json(makeIdea()));
    const { user } = renderApp(<CreateBetForm user={me} />);
    await press(user, 'Generate Bet Idea');
    expect(await screen.findByRole('button', { name: 'Generating...' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    expect(title()).toHaveValue('');
    release();
    await waitFor(() => expect(toast()).toHaveTextContent('Bet Idea Generated!'));
    expectFilled(makeIdea());
    await waitFor(() => expect(button('Generate Bet Idea')).toBeVisible());
    expect(button('Bring it back')).toBeNull();
  });

  it('keeps an idea for a user who has left the page meanwhile', async () => {
    const release = heldAnswer('/api/generate-bet-idea', () => HttpResponse.json(makeIdea()));
    const first = renderApp(<CreateBetForm user={me} />);
    await press(first.user, 'Generate Bet Idea');
    await screen.findByRole('button', { name: 'Generating...' });
    first.unmount();
    release();
    await waitFor(() => expect(JSON.stringify(sessionStorage)).toContain(makeIdea().title));
    renderApp(<CreateBetForm user={me} />);
    expectFilled(makeIdea());
  });

  it('keeps no idea after the bet was created', async () => {
    onWrite('post', '/api/bets', () => HttpResponse.json(makeBet(), { status: 201 }));
    const release = heldAnswer('/api/generate-bet-idea', () => HttpResponse.json(makeIdea()));
    const { user } = renderApp(
      <Routes>
        <Route path="/" element={<CreateBetForm user={me} />} />
        <Route path="*" element={null} />
      </Routes>,
    );
    await user.type(title(), 'Snow on Christmas');
    await user.type(option('A'), 'It snows');
    await user.type(option('B'), 'It stays dry');
    await press(user, '100');
    await press(user, 'In a week');
    await press(user, 'Generate Bet Idea');
    await press(user, 'Create Bet');
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/bet/bet-1'));
    release();
    await waitFor(() => expect(toast()).toHaveTextContent('Bet Idea Generated!'));
    expect(sessionStorage.getItem(`bolts.bet-draft.${me.id}`)).toBeNull();
  });

  it.each([
    [
      () => problem(502, 'ideas_unavailable', 'No idea came this time.'),
      'Generation FailedAPI request failed: 502',
    ],
    [() => problem(429, 'too_many_requests', 'Many ideas.'), 'Generation FailedAPI request failed: 429'],
    [() => HttpResponse.text('<html>'), 'Generation FailedInvalid JSON response from server'],
    [
      () => HttpResponse.json({}, { status: 300 }),
      'Generation FailedFailed to generate bet idea. Please try again.',
    ],
    [() => HttpResponse.error(), 'Generation FailedThe server could not be reached.'],
  ])('leaves the form as it was when it fails (%#)', async (answer, words) => {
    onWrite('post', '/api/generate-bet-idea', answer);
    const { user } = renderApp(<CreateBetForm user={me} />);
    await user.type(title(), 'My own title');
    await press(user, 'Generate Bet Idea');
    await waitFor(() => expect(toast()).toHaveTextContent(words));
    expect(title()).toHaveValue('My own title');
    expect(option('A')).toHaveValue('');
    expect(button('Bring it back')).toBeNull();
  });

  it('brings back what it replaced, also after further ideas', async () => {
    let count = 0;
    onWrite('post', '/api/generate-bet-idea', () => {
      count += 1;
      return HttpResponse.json(makeIdea({ title: `Idea number ${count}` }));
    });
    const { user } = renderApp(<CreateBetForm user={me} />);
    await user.type(title(), 'My own title');
    await user.type(option('A'), 'My own side');
    await press(user, 'Generate Bet Idea');
    await waitFor(() => expect(title()).toHaveValue('Idea number 1'));
    expect(screen.getByText(/replaced what you had written/)).toBeVisible();
    await waitFor(() => expect(button('Generate Bet Idea')).not.toBeNull());
    await press(user, 'Generate Bet Idea');
    await waitFor(() => expect(title()).toHaveValue('Idea number 2'));
    await press(user, 'Bring it back');
    expect(title()).toHaveValue('My own title');
    expect(option('A')).toHaveValue('My own side');
    expect(option('B')).toHaveValue('');
    expect(button('Bring it back')).toBeNull();
  });

  it('leads to the sign-in when the session has ended', async () => {
    onWrite('post', '/api/generate-bet-idea', () => problem(401, 'not_signed_in', 'Please sign in.'));
    const { user } = renderApp(<CreateBetForm user={me} />, '/create-bet');
    await press(user, 'Generate Bet Idea');
    await waitFor(() => expect(toast()).toHaveTextContent('Unauthorized'));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/auth?next=%2Fcreate-bet'));
  });
});

describe('Finish This Bet with AI', () => {
  const NAME = 'Finish This Bet with AI';

  it('is there once the title is longer than five characters', async () => {
    const { user } = renderApp(<CreateBetForm user={me} />);
    expect(button(NAME)).toBeNull();
    await user.type(title(), '  Snow?  ');
    expect(button(NAME)).toBeNull();
    await user.type(title(), '!');
    await waitFor(() => expect(button(NAME)).toBeVisible());
  });

  it('says that it is at work, fills in what is empty and keeps what is the user’s', async () => {
    const release = heldAnswer('/api/complete-bet-idea', () =>
      HttpResponse.json(makeIdea({ title: 'Trimmed' })),
    );
    const { user } = renderApp(<CreateBetForm user={me} />);
    await user.type(title(), 'Snow in Oslo');
    await user.type(option('A'), 'Lots of snow');
    await press(user, NAME);
    expect(await screen.findByRole('button', { name: 'Finishing...' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    // The completion must keep text that the user types while the request runs.
    await user.click(screen.getByRole('button', { name: /^Who decides/ }));
    await user.type(screen.getByLabelText(/^Source link/), 'https://own.example/');
    release();
    await waitFor(() =>
      expect(toast()).toHaveTextContent(/Bet Completed!It expires .+ your time.+New York time\./),
    );
    expectFilled(
      makeIdea({ title: 'Snow in Oslo', optionA: 'Lots of snow', sourceUrl: 'https://own.example/' }),
    );
  });

  it('sends the title alone', async () => {
    const sent = onWrite('post', '/api/complete-bet-idea', () => HttpResponse.json(makeIdea()));
    const { user } = renderApp(<CreateBetForm user={me} />);
    await user.type(title(), '  Snow in Oslo ');
    await press(user, NAME);
    await waitFor(() => expect(toast()).toHaveTextContent('Bet Completed!'));
    expect(sent).toEqual([{ title: 'Snow in Oslo' }]);
  });

  it.each([
    [() => problem(502, 'ideas_unavailable', 'No idea came.'), 'ErrorNo idea came.'],
    [() => problem(502, 'ideas_unavailable', ''), 'ErrorFailed to complete bet details. Please try again.'],
    [() => HttpResponse.text('', { status: 502, statusText: '' }), 'Error502:'],
    [() => HttpResponse.json({}, { status: 500 }), 'ErrorFailed to complete bet details. Please try again.'],
    [() => HttpResponse.text('undefined'), 'ErrorInvalid JSON response from server'],
  ])('leaves the form as it was when it fails (%#)', async (answer, words) => {
    onWrite('post', '/api/complete-bet-idea', answer);
    const { user } = renderApp(<CreateBetForm user={me} />);
    await user.type(title(), 'Snow in Oslo');
    await press(user, NAME);
    await waitFor(() => expect(toast()).toHaveTextContent(words));
    expect(title()).toHaveValue('Snow in Oslo');
    expect(option('A')).toHaveValue('');
    expect(screen.getByLabelText('Expiry time')).toHaveValue('');
  });
});

describe('the look at the wording', () => {
  const source = {
    problem: 'Nothing says where the outcome is looked up.',
    suggestion: { field: 'sourceUrl', value: 'https://www.weather.gov/' },
  };
  const tie = {
    problem: 'Nothing says what happens in a tie.',
    suggestion: { field: 'description', value: 'As said. A tie is void.' },
  };

  async function write(user: Typist) {
    await user.type(title(), 'Tea vs coffee');
    await user.click(screen.getByRole('button', { name: /^Description and category/ }));
    await user.type(screen.getByLabelText(/^Description/), 'As said.');
    await user.type(option('A'), 'Tea');
    // The page checks the wording after a pause. On a busy machine, typing has pauses between two letters.
    await user.click(option('B'));
    await user.paste('Coffee');
  }

  it('comes after a pause, amends by one click and stands in nobody’s way', async () => {
    let remarks = [source, tie];
    const sent = onWrite('post', '/api/check-bet-wording', () => HttpResponse.json(remarks));
    const { user } = renderApp(<CreateBetForm user={me} />);
    await write(user);
    expect(await screen.findByRole('heading', { name: 'Before you publish' })).toBeVisible();
    expect(sent).toEqual([
      {
        title: 'Tea vs coffee',
        description: 'As said.',
        optionA: 'Tea',
        optionB: 'Coffee',
        category: '',
        sourceUrl: '',
        expiresAt: null,
      },
    ]);
    expect(screen.getByText('A tie is void.')).toBeVisible();
    remarks = [tie];
    await press(user, 'Apply to Source link: Nothing says where the outcome is looked up.');
    expect(screen.getByLabelText(/^Source link/)).toHaveValue('https://www.weather.gov/');
    expect(screen.queryByText(source.problem)).toBeNull();
    expect(screen.getByText(tie.problem)).toBeVisible();
    remarks = [];
    await press(user, 'Apply to Description: Nothing says what happens in a tie.');
    expect(screen.getByLabelText(/^Description/)).toHaveValue('As said. A tie is void.');
    expect(screen.queryByRole('heading', { name: 'Before you publish' })).toBeNull();
    expect(button('Create Bet')).not.toHaveAttribute('aria-disabled', 'true');
    await waitFor(() => expect(sent.length).toBeGreaterThan(1));
  });

  it('withdraws an amendment whose field has changed since', async () => {
    onWrite('post', '/api/check-bet-wording', () => HttpResponse.json([tie]));
    const { user } = renderApp(<CreateBetForm user={me} />);
    await write(user);
    await screen.findByText(tie.problem);
    await user.type(screen.getByLabelText(/^Description/), ' More.');
    expect(screen.queryByText(tie.problem)).toBeNull();
  });

  it('is quiet when it fails, and does not ask about half a bet', async () => {
    const sent = onWrite('post', '/api/check-bet-wording', () =>
      problem(429, 'too_many_requests', 'Enough.'),
    );
    const { user } = renderApp(<CreateBetForm user={me} />);
    await user.type(title(), 'Tea vs coffee');
    await user.type(option('A'), 'Tea');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(sent).toEqual([]);
    await user.type(option('B'), 'Coffee');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(screen.queryByText('Enough.')).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Before you publish' })).toBeNull();
  });
});
