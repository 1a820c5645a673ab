import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { Dialog } from '../ui/Dialog';
import { useKeptFocus } from './useKeptFocus';

function Page({ children }: { children: (done: boolean, act: () => void) => ReactNode }) {
  const place = useRef<HTMLElement>(null);
  const [done, setDone] = useState(false);
  useKeptFocus(place);
  return (
    <main ref={place}>
      <h1>Page</h1>
      {children(done, () => setDone(true))}
    </main>
  );
}

const heading = (name: string) => screen.getByRole('heading', { name });
const settled = () => new Promise((resolve) => setTimeout(resolve, 80));

async function act(page: (done: boolean, act: () => void) => ReactNode) {
  render(<Page>{page}</Page>);
  await userEvent.click(screen.getByRole('button', { name: 'Act' }));
}

it('goes to the heading of the panel that is left', async () => {
  await act((done, button) => (
    <section>
      <h2>Panel</h2>
      {done ? (
        <p>Done</p>
      ) : (
        <button type="button" onClick={button}>
          Act
        </button>
      )}
    </section>
  ));
  await waitFor(() => expect(heading('Panel')).toHaveFocus());
});

it('goes to the heading of what came instead of the panel', async () => {
  await act((done, button) => (
    <div>
      {done ? (
        <section key="after">
          <h2>After</h2>
        </section>
      ) : (
        <section key="before">
          <h2>Before</h2>
          <button type="button" onClick={button}>
            Act
          </button>
        </section>
      )}
    </div>
  ));
  await waitFor(() => expect(heading('After')).toHaveFocus());
});

function Rows({ before, children }: { before: string[]; children: ReactNode }) {
  return (
    <section>
      <h2>Rows</h2>
      <ul>
        {before.map((name) => (
          <li key={name}>
            <h3>{name}</h3>
          </li>
        ))}
        {children}
        <li>
          <h3>Later row</h3>
        </li>
      </ul>
    </section>
  );
}

it.each([
  [[], 'Rows'],
  [['Earlier row'], 'Earlier row'],
])('goes to the last heading above a row that is gone', async (before, taker) => {
  await act((done, button) => (
    <Rows before={before}>
      {!done && (
        <li>
          <button type="button" onClick={button}>
            Act
          </button>
        </li>
      )}
    </Rows>
  ));
  await waitFor(() => expect(heading(taker)).toHaveFocus());
});

it('goes to the last row there was when a list has told its last page', async () => {
  await act((done, button) => (
    <>
      <ul>
        <li>
          <h3>Last so far</h3>
        </li>
        {done && (
          <li>
            <h3>New</h3>
          </li>
        )}
      </ul>
      {!done && (
        <button type="button" onClick={button}>
          Act
        </button>
      )}
    </>
  ));
  await waitFor(() => expect(heading('Last so far')).toHaveFocus());
});

it('goes to the page’s heading where nothing is nearer', async () => {
  await act((done, button) =>
    done ? null : (
      <button type="button" onClick={button}>
        Act
      </button>
    ),
  );
  await waitFor(() => expect(heading('Page')).toHaveFocus());
});

it('goes out of a dialog that closes with what opened it', async () => {
  await act((done, button) => (
    <section>
      <h2>Panel</h2>
      <Dialog open={!done} title="Sure?" onClose={() => {}}>
        <button type="button" onClick={button}>
          Act
        </button>
      </Dialog>
    </section>
  ));
  await waitFor(() => expect(heading('Panel')).toHaveFocus());
});

it('stays where something else took it', async () => {
  await act((done, button) => (
    <section>
      <h2>Panel</h2>
      {done ? (
        // biome-ignore lint/a11y/noAutofocus: a page that sets the focus itself
        <input aria-label="Next" autoFocus />
      ) : (
        <button type="button" onClick={button}>
          Act
        </button>
      )}
    </section>
  ));
  await settled();
  expect(screen.getByLabelText('Next')).toHaveFocus();
});

it('leaves those alone who had left what is gone', async () => {
  const { rerender } = render(<Page>{() => <button type="button">Act</button>}</Page>);
  screen.getByRole('button', { name: 'Act' }).focus();
  screen.getByRole('button', { name: 'Act' }).blur();
  await settled();
  rerender(<Page>{() => null}</Page>);
  await settled();
  expect(document.body).toHaveFocus();
});
