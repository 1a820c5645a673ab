import { act, render, screen } from '@testing-library/react';
import { Suspense, startTransition, useState } from 'react';
import { expect, it } from 'vitest';
import { prepared } from './prepared';

/** Resolves without a wait, like `import()` of code that the browser has already loaded. */
const page = () => prepared(() => Promise.resolve({ default: () => <input aria-label="Title" /> }));

it('keeps the component, and what was typed into it, when it renders again after its code has loaded', async () => {
  const { Part } = page();
  let show = (_step: number) => {};
  function App() {
    const [step, setStep] = useState(0);
    show = setStep;
    return <Suspense fallback="Loading">{step > 0 && <Part key="page" />}</Suspense>;
  }
  render(<App />);
  // In a transition, React waits a moment for the code and then goes on where it stopped. It does so only outside of `act`.
  setTimeout(() => startTransition(() => show(1)));
  const title = await screen.findByLabelText('Title');
  act(() => show(2));
  expect(screen.getByLabelText('Title')).toBe(title);
});

it('shows at once if its code was prepared', async () => {
  const { Part, prepare, isReady } = page();
  expect(isReady()).toBe(false);
  expect(await prepare()).toBe(true);
  expect(isReady()).toBe(true);
  render(<Part />);
  expect(screen.getByLabelText('Title')).toBeVisible();
});
